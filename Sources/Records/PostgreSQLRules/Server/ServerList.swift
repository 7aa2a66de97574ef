/// The servers of an address, tried one after the other: the library's own list has no limit of time for each.
package struct ServerList: Equatable, Sendable {
    /// One server, as parameters that replace those of the list.
    package struct Server: Equatable, Sendable, CustomStringConvertible {
        package let host: String
        package let hostAddress: String
        package let port: String

        package var description: String {
            let name = host.isEmpty ? hostAddress : host
            if name.isEmpty { return "the local server" }
            return port.isEmpty ? name : "\(name):\(port)"
        }
    }

    package let servers: [Server]

    /// Splits the library's parameters `host`, `hostaddr` and `port`. Returns nil if their lengths contradict each other.
    package init?(host: String, hostAddress: String, port: String) {
        func list(_ text: String) -> [String] {
            text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (hosts, addresses, ports) = (list(host), list(hostAddress), list(port))
        let count = max(hosts.count, addresses.count, 1)
        guard [0, count].contains(hosts.count), [0, count].contains(addresses.count),
            ports.count <= 1 || ports.count == count
        else { return nil }
        servers = (0..<count).map { place in
            Server(
                host: hosts.isEmpty ? "" : hosts[place], hostAddress: addresses.isEmpty ? "" : addresses[place],
                port: ports.isEmpty ? "" : ports.count == 1 ? ports[0] : ports[place])
        }
    }
}
