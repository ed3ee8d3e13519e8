-- Wireshark dissector for MS-MQSD topology packets (MS-MQSD 2.2), written by `mqconform dissect --lua`.
-- Put it into Wireshark's personal plugin folder, or: tshark -X lua_script:mqsd.lua -r packets.pcapng
-- Tested packet by packet against mqconform's own codec. Licence: Apache-2.0.

local mqsd = Proto("mqsd", "MSMQ Directory Discovery (MS-MQSD)")

-- Field or rule of the grammar -> ids of the requirements on it, from mqconform's catalogue.
local requirements = {
--@REQUIREMENTS@
}

-- Fields in the order of the packet, from mqconform's table of the messages: octets of a field or of one element, how
-- many elements, which numbers are right, and when the field is there.
local HEADER = {
--@HEADER@
}
local MESSAGES = {
--@MESSAGES@
}

local TYPES, f = {}, {
--@FIELDS@
  entry = ProtoField.none("mqsd.entry", "Entry"),
  ip = ProtoField.string("mqsd.entry.ip", "IP"),
  ipx = ProtoField.string("mqsd.entry.ipx", "IPX"),
  name = ProtoField.string("mqsd.entry.name", "NameChar", base.UNICODE),
  trailing = ProtoField.bytes("mqsd.trailing", "Octets after the last field"),
}
for kind, message in pairs(MESSAGES) do TYPES[kind] = message.name end
f.Type = ProtoField.uint8("mqsd.type", "Type", base.HEX, TYPES)
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

function Reader:number(rule)
  local range = self.octets(self.at, rule.size)
  local value, item = range:le_uint(), self.root:add_le(f[rule.name], range)
  self.numbers[rule.name], self.items[rule.name] = value, item
  if rule.name == "Type" and not MESSAGES[value] then
    self:wrong(rule.name, string.format("is 0x%02x, must be 0x01 or 0x02", value), item)
  end
  if rule.most and (value < 1 or value > rule.most) then
    self:wrong(rule.name, string.format("is %.0f, must be 1 to %d", value, rule.most), item)
  end
  if rule.even and value % 2 == 1 then self:wrong(rule.name, "is odd: characters have two octets", item) end
end

-- A field, or the whole elements that there are of an array; then the complaint if some octets are missing.
function Reader:field(rule)
  local length = rule.size * (rule.count and self.numbers[rule.count] or 1)
  if rule.kind == "servers" then return self:servers(rule, length) end
  local whole = math.min(length, self.octets:len() - self.at) / rule.size
  for i = 0, math.floor(whole) - 1 do
    if rule.kind == "number" and not rule.count then
      self:number(rule)
    else
      local item = self.root:add_le(f[rule.name], self.octets(self.at + rule.size * i, rule.size))
      if rule.count then item:append_text(string.format(" [%d]", i)) end
    end
  end
  if self:has(rule.name, length) then self.at = self.at + length end
end

function Reader:read(rules)
  for _, rule in ipairs(rules) do
    if self.cut then return end
    local listed = not rule.only_if or self.numbers[rule.only_if] > 0
    if listed and self.octets:len() >= rule.from then self:field(rule) end
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
function Reader:servers(rule, length)
  local reader, octets, first = self, self.octets, self.at
  local present = math.min(length, octets:len() - first)
  local tree = reader.root:add(f[rule.name], octets(first, present))
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
  if reader:has(rule.name, length) then reader.at = first + length end
end

-- What a sender must not do although the packet stays readable.
local function remarks(reader, kind, over_ip)
  local numbers, items = reader.numbers, reader.items
  for _, name in ipairs(kind == 1 and { "Version", "Reserved" } or {}) do
    if numbers[name] ~= 0 then reader:note(name, "is not zero, as a client must set it", items[name]) end
  end
  local count, mask = numbers.ConnectedNetworkCount, numbers.ConnectedNetworkMask
  if mask and mask ~= 0 and over_ip then
    reader:note("ConnectedNetworkMask", "is not zero in a packet over IP", items.ConnectedNetworkMask)
  elseif mask and mask ~= 0 and bits(mask) ~= count then
    local text = string.format("has %d bits set, the count is %.0f", bits(mask), count)
    reader:note("ConnectedNetworkMask", text, items.ConnectedNetworkMask)
  end
  if over_ip and numbers.IPXNetworkCount then
    reader:note("IPXNetworkCount", "is present in a packet over IP", items.IPXNetworkCount)
  end
end

function mqsd.dissector(octets, pinfo, tree)
  pinfo.cols.protocol = "MQSD"
  local root = tree:add(mqsd, octets())
  local reader = setmetatable({ octets = octets, root = root, at = 0, cut = false, numbers = {}, items = {} }, Reader)
  reader:read(HEADER)
  local kind = reader.numbers.Type
  local message = not reader.cut and MESSAGES[kind] or nil
  local name = message and message.name or "TopologyPacketHeader"
  pinfo.cols.info = string.format("%s, %d octets", name, octets:len())
  root:append_text(", " .. name)
  if message then
    reader:read(message)
    remarks(reader, kind, pinfo.port_type == 3 or pinfo.port_type == 2)
  end
  local left = octets:len() - reader.at
  if left > 0 and not reader.cut then
    local item = root:add(f.trailing, octets(reader.at, left))
    local ignored = not message
    for _, rule in ipairs(message or {}) do ignored = ignored or octets:len() < rule.from end
    if not ignored then reader:wrong(name, string.format("is followed by %d more octets", left), item) end
  end
  return octets:len()
end

-- Octets of a packet over IP by its own numbers; nil where they are wrong or it holds fields of IPX.
local function announced(octets, rules, numbers, at)
  for _, rule in ipairs(rules) do
    if rule.from > 0 then return octets:len() < rule.from and at or nil end
    if not rule.only_if or numbers[rule.only_if] > 0 then
      if rule.kind == "number" then numbers[rule.name] = octets(at, rule.size):le_uint() end
      local value = numbers[rule.name]
      if rule.most and (value < 1 or value > rule.most) then return nil end
      at = at + rule.size * (rule.count and numbers[rule.count] or 1)
    end
  end
  return at
end

-- On other ports: only what is exactly as long as it says it is.
local function looks_right(octets)
  if octets:len() < @LEAST@ then return false end
  local numbers = {}
  local at = announced(octets, HEADER, numbers, 0)
  local message = MESSAGES[numbers.Type]
  if not message or numbers.Version ~= 0 or numbers.Reserved ~= 0 then return false end
  return octets:len() == announced(octets, message, numbers, at)
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
if ipx then ipx:add(@IPX_SOCKET@, mqsd) end
