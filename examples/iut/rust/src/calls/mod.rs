//! The methods of the IUT protocol, a file for each role.

pub mod client;
pub mod receiver;
pub mod router;
pub mod sender;
pub mod server;
pub mod transaction;
