//! The options of the command line, each with a value.

use std::net::Ipv4Addr;

use crate::discovery_packets::DirectoryServer;
use crate::discovery_server::directory_server;
use crate::guid::Guid;
use crate::udp_client::UdpNetwork;

pub struct Options {
    pub enterprise: Guid,
    pub site: Guid,
    pub host: String,
    pub port: u16,
    pub connected_networks: Vec<Guid>,
    pub directory_servers: Vec<DirectoryServer>,
    networks: Vec<(Ipv4Addr, u32)>,
    directed: bool,
}

impl Options {
    pub fn read(words: &[&str]) -> Result<Options, String> {
        let (mut enterprise, mut site) = (None, None);
        let mut options = Options {
            enterprise: Guid::default(),
            site: Guid::default(),
            host: "127.0.0.1".to_string(),
            port: 1801,
            connected_networks: Vec::new(),
            directory_servers: Vec::new(),
            networks: Vec::new(),
            directed: false,
        };
        for pair in words.chunks(2) {
            let &[name, value] = pair else { return Err(format!("{}: a value is missing", pair[0])) };
            let wrong = |wanted: &str| format!("{name} {value}: must be {wanted}");
            let guid = || Guid::read(value).ok_or_else(|| wrong("a GUID, 8-4-4-4-12"));
            match name {
                "--enterprise" => enterprise = Some(guid()?),
                "--site" => site = Some(guid()?),
                "--connected-network" => options.connected_networks.push(guid()?),
                "--host" => options.host = value.to_string(),
                "--port" => options.port = value.parse().map_err(|_| wrong("0 to 65535"))?,
                "--network" => options.networks.push(network(value).ok_or_else(|| wrong("ADDRESS or ADDRESS/PREFIX"))?),
                "--broadcast" if value == "limited" || value == "directed" => options.directed = value == "directed",
                "--broadcast" => return Err(wrong("limited or directed")),
                "--directory-server" => {
                    let units: Vec<u16> = value.encode_utf16().collect();
                    let server =
                        directory_server(&units, true, false).ok_or_else(|| wrong("a name without a comma"))?;
                    options.directory_servers.push(server);
                }
                _ => return Err(format!("{name}: no such option")),
            }
        }
        options.enterprise = enterprise.ok_or("--enterprise is required")?;
        options.site = site.ok_or("--site is required")?;
        Ok(options)
    }

    pub fn udp_networks(&self) -> Result<Vec<UdpNetwork>, String> {
        if self.networks.is_empty() {
            return Err("--network is required".to_string());
        }
        let everybody = |address: Ipv4Addr, prefix: u32| match self.directed {
            true => Ipv4Addr::from_bits(address.to_bits() | u32::MAX.checked_shr(prefix).unwrap_or(0)),
            false => Ipv4Addr::BROADCAST,
        };
        let joined =
            |&(address, prefix): &(Ipv4Addr, u32)| UdpNetwork { address, everybody: everybody(address, prefix) };
        Ok(self.networks.iter().map(joined).collect())
    }
}

/// ADDRESS or ADDRESS/PREFIX
fn network(value: &str) -> Option<(Ipv4Addr, u32)> {
    let (address, prefix) = value.split_once('/').unwrap_or((value, "24"));
    let prefix = prefix.parse().ok().filter(|it| (1..=32).contains(it))?;
    Some((address.parse().ok()?, prefix))
}
