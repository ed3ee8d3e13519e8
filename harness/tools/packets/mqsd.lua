-- Wireshark dissector for MS-MQSD topology packets (MS-MQSD 2.2), written by `mqconform dissect --lua`.
-- Put it into Wireshark's personal plugin folder, or: tshark -X lua_script:mqsd.lua -r packets.pcapng
-- Tested packet by packet against mqconform's own codec. Licence: Apache-2.0.

local mqsd = Proto("mqsd", "MSMQ Directory Discovery (MS-MQSD)")

-- Field of the specification -> ids of the requirements on it, from mqconform's catalogue.
local requirements = {
--@REQUIREMENTS@
}

local TYPES = { [1] = "TopologyClientRequest", [2] = "TopologyServerReply" }
local MOST_NETWORKS, GUID = 32, 16

local f = {
  version = ProtoField.uint8("mqsd.version", "Version"),
  type = ProtoField.uint8("mqsd.type", "Type", base.HEX, TYPES),
  reserved = ProtoField.uint16("mqsd.reserved", "Reserved", base.HEX),
  enterprise = ProtoField.guid("mqsd.enterprise_id", "EnterpriseID"),
  request = ProtoField.guid("mqsd.request_id", "RequestID"),
  site = ProtoField.guid("mqsd.site_id", "SiteID"),
  ipx_count = ProtoField.uint32("mqsd.ipx_network_count", "IPXNetworkCount"),
  ipx_number = ProtoField.uint32("mqsd.ipx_network_number", "IPXNetworkNumberArray", base.HEX),
  correlation = ProtoField.guid("mqsd.correlation_id", "CorrelationID"),
  count = ProtoField.uint32("mqsd.connected_network_count", "ConnectedNetworkCount"),
  mask = ProtoField.uint32("mqsd.connected_network_mask", "ConnectedNetworkMask", base.HEX),
  size = ProtoField.uint32("mqsd.directory_service_server_size", "DirectoryServiceServerSize"),
  network = ProtoField.guid("mqsd.connected_network", "ConnectedNetworkArray"),
  responding = ProtoField.guid("mqsd.responding_site_id", "RespondingSiteID"),
  servers = ProtoField.bytes("mqsd.directory_service_servers", "DirectoryServiceServerArray"),
  entry = ProtoField.none("mqsd.entry", "Entry"),
  ip = ProtoField.string("mqsd.entry.ip", "IP"),
  ipx = ProtoField.string("mqsd.entry.ipx", "IPX"),
  name = ProtoField.string("mqsd.entry.name", "NameChar", base.UNICODE),
  trailing = ProtoField.bytes("mqsd.trailing", "Octets behind the last field"),
}
mqsd.fields = {}
for _, field in pairs(f) do table.insert(mqsd.fields, field) end

local malformed = ProtoExpert.new("mqsd.malformed", "Malformed", expert.group.MALFORMED, expert.severity.ERROR)
local remark = ProtoExpert.new("mqsd.remark", "Not to be sent", expert.group.PROTOCOL, expert.severity.WARN)
mqsd.experts = { malformed, remark }
mqsd.prefs.port = Pref.uint("UDP port", @UDP_PORT@, "UDP port of discovery servers")

local function told(name, text)
  local ids = requirements[name]
  return name .. " " .. text .. (ids and " [" .. ids .. "]" or "")
end

-- Reads a packet from front to back; a field that the packet ends in is named and nothing is read behind it.
local Reader = {}
Reader.__index = Reader

function Reader:wrong(name, text, item)
  (item or self.root):add_proto_expert_info(malformed, told(name, text))
end

function Reader:note(name, text, item)
  (item or self.root):add_proto_expert_info(remark, told(name, text))
end

function Reader:has(name, length)
  if self.cut then return false end
  local left = self.octets:len() - self.at
  if left >= length then return true end
  self.cut = true
  self:wrong(name, string.format("has %d of %.0f octets, then the packet ends", left, length))
  return false
end

function Reader:number(name, field, length)
  if not self:has(name, length) then return nil end
  local range = self.octets(self.at, length)
  local item = self.root:add_le(field, range)
  self.at = self.at + length
  return range:le_uint(), item
end

function Reader:guid(name, field)
  if not self:has(name, GUID) then return end
  self.root:add_le(field, self.octets(self.at, GUID))
  self.at = self.at + GUID
end

-- An array: the whole elements that there are, then the complaint if some are missing.
function Reader:array(name, field, count, length)
  if self.cut then return end
  local left = self.octets:len() - self.at
  local whole = math.min(count, math.floor(left / length))
  for i = 0, whole - 1 do
    self.root:add_le(field, self.octets(self.at + length * i, length)):append_text(string.format(" [%d]", i))
  end
  if self:has(name, count * length) then self.at = self.at + count * length end
end

local function bounded(reader, name, value, item)
  if value and (value < 1 or value > MOST_NETWORKS) then
    reader:wrong(name, string.format("is %.0f, must be 1 to %d", value, MOST_NETWORKS), item)
  end
end

local function bits(value)
  local ones = 0
  while value > 0 do
    ones = ones + value % 2
    value = math.floor(value / 2)
  end
  return ones
end

-- One entry of the server list: IP IPX 1*NameChar (2.2.3).
local function entry(reader, tree, at, length, judged)
  local octets = reader.octets
  local item = tree:add(f.entry, octets(at, length))
  for index, flag in ipairs({ { "IP", f.ip }, { "IPX", f.ipx } }) do
    local from = 2 * (index - 1)
    local unit = length >= from + 2 and octets(at + from, 2):le_uint() or nil
    local part = unit and item:add(flag[2], octets(at + from, 2), unit < 128 and string.char(unit) or "?")
    if judged and unit ~= 0x30 and unit ~= 0x31 then
      local found = unit and string.format("0x%04x", unit) or "no character"
      reader:wrong(flag[1], "must be character 1 (0x0031) or 0 (0x0030); found " .. found, part or item)
    end
  end
  if length > 4 then
    item:add_packet_field(f.name, octets(at + 4, length - 4), ENC_UTF_16 + ENC_LITTLE_ENDIAN)
    item:append_text(": " .. octets(at + 4, length - 4):le_ustring())
  elseif judged then
    reader:wrong("NameChar", "is missing: an entry needs a name", item)
  end
end

-- The list as far as the packet holds it. Where the packet ends within, the unfinished entry is not judged.
local function servers(reader, length)
  local name, octets, first = "DirectoryServiceServerArray", reader.octets, reader.at
  local present = math.min(length, octets:len() - first)
  local tree = reader.root:add(f.servers, octets(first, present))
  local at, start, stop, ended = first, first, first + present - present % 2, nil
  local complaint = false
  while at < stop do
    local unit = octets(at, 2):le_uint()
    if unit == 0x2c or unit == 0 then
      entry(reader, tree, start, at - start, not ended)
      if unit == 0 and not ended then
        ended = at
        if at + 2 < first + present then
          complaint = true
          reader:wrong("EndList", "octets follow the end of the list", tree)
        end
      end
      start = at + 2
    end
    at = at + 2
  end
  if start < stop then entry(reader, tree, start, stop - start, not ended and present == length) end
  if present == length and (start < stop or present % 2 == 1 or not ended) and not complaint then
    reader:wrong("EndList", "is missing: the list does not end with octets 00 00 within its size", tree)
  end
  if reader:has(name, length) then reader.at = first + length end
end

local function request(reader, over_ip)
  reader:guid("EnterpriseID", f.enterprise)
  reader:guid("RequestID", f.request)
  reader:guid("SiteID", f.site)
  if reader.octets:len() < 60 then return end
  local count, item = reader:number("IPXNetworkCount", f.ipx_count, 4)
  bounded(reader, "IPXNetworkCount", count, item)
  if over_ip then reader:note("IPXNetworkCount", "is present in a packet over IP", item) end
  reader:array("IPXNetworkNumberArray", f.ipx_number, count, 4)
end

local function reply(reader, over_ip)
  reader:guid("CorrelationID", f.correlation)
  local count, count_item = reader:number("ConnectedNetworkCount", f.count, 4)
  bounded(reader, "ConnectedNetworkCount", count, count_item)
  local mask, mask_item = reader:number("ConnectedNetworkMask", f.mask, 4)
  if mask and mask ~= 0 then
    if over_ip then
      reader:note("ConnectedNetworkMask", "is not zero in a packet over IP", mask_item)
    elseif bits(mask) ~= count then
      reader:note("ConnectedNetworkMask", string.format("has %d bits set, the count is %.0f", bits(mask), count), mask_item)
    end
  end
  local size, size_item = reader:number("DirectoryServiceServerSize", f.size, 4)
  if size and size % 2 == 1 then
    reader:wrong("DirectoryServiceServerSize", "is odd: characters have two octets", size_item)
  end
  if not size then return end
  reader:array("ConnectedNetworkArray", f.network, count, GUID)
  if size > 0 then
    reader:guid("RespondingSiteID", f.responding)
    if not reader.cut then servers(reader, size) end
  end
end

function mqsd.dissector(octets, pinfo, tree)
  pinfo.cols.protocol = "MQSD"
  local root = tree:add(mqsd, octets())
  local reader = setmetatable({ octets = octets, root = root, at = 0, cut = false }, Reader)
  local over_ip = pinfo.port_type == 3 or pinfo.port_type == 2
  local version, version_item = reader:number("Version", f.version, 1)
  local kind, kind_item = reader:number("Type", f.type, 1)
  local reserved, reserved_item = reader:number("Reserved", f.reserved, 2)
  local name = octets:len() >= 4 and TYPES[kind] or "TopologyPacketHeader"
  pinfo.cols.info = string.format("%s, %d octets", name, octets:len())
  root:append_text(", " .. name)
  if kind and not TYPES[kind] then
    reader:wrong("Type", string.format("is 0x%02x, must be 0x01 or 0x02", kind), kind_item)
  end
  if name == "TopologyClientRequest" then
    if version ~= 0 then reader:note("Version", "is not zero, as a client must set it", version_item) end
    if reserved ~= 0 then reader:note("Reserved", "is not zero, as a client must set it", reserved_item) end
    request(reader, over_ip)
  elseif name == "TopologyServerReply" then
    reply(reader, over_ip)
  end
  local left = octets:len() - reader.at
  if left > 0 and not reader.cut then
    local item = root:add(f.trailing, octets(reader.at, left))
    local ignored = name == "TopologyPacketHeader" or (name == "TopologyClientRequest" and octets:len() < 60)
    if not ignored then reader:wrong(name, string.format("is followed by %d more octets", left), item) end
  end
  return octets:len()
end

-- On other ports: only what is exactly as long as it says it is.
local function looks_right(octets)
  local length = octets:len()
  if length < 48 or octets(0, 1):uint() ~= 0 or octets(2, 2):uint() ~= 0 then return false end
  local kind = octets(1, 1):uint()
  if kind == 1 then return length == 52 end
  if kind ~= 2 then return false end
  local count, size = octets(20, 4):le_uint(), octets(28, 4):le_uint()
  if count < 1 or count > MOST_NETWORKS then return false end
  return length == 32 + GUID * count + (size > 0 and GUID + size or 0)
end

mqsd:register_heuristic("udp", function(octets, pinfo, tree)
  if not looks_right(octets) then return false end
  mqsd.dissector(octets, pinfo, tree)
  return true
end)

local udp = DissectorTable.get("udp.port")
local registered = mqsd.prefs.port
udp:add(registered, mqsd)
function mqsd.prefs_changed()
  udp:remove(registered, mqsd)
  registered = mqsd.prefs.port
  udp:add(registered, mqsd)
end
local ipx = DissectorTable.get("ipx.socket")
if ipx then ipx:add(876, mqsd) end
