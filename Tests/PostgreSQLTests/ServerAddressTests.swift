import Foundation
import PostgreSQLRules
import RecordStorage
import Testing

@Suite("Addresses of servers")
struct ServerAddressTests {
    @Test(
        "A URL with a secret is refused, and the secret is not repeated",
        arguments: [
            "postgresql://user:hunter2@host/db", "postgres://:hunter2@host", "postgresql://user:hunter2@h1,h2:5/db",
            "postgresql://user:hun?hunter2@host/db", "postgresql://user:hun/hunter2@host/db",
            "postgresql://user:hunter2@", "postgresql://host/db?password=hunter2",
            "postgresql://host/db?user=u&password=hunter2&sslmode=require", "postgresql://host/db?%70assword=hunter2",
            "postgresql://host/db?PASSWORD=hunter2", "postgresql://host?sslpassword=hunter2", "host=h password=hunter2",
            "postgresql://user:hunter2%40x@host/db", "postgresql://u:a@hunter2@host/db?password=hunter2",
        ])
    func secrets(_ url: String) throws {
        let error = #expect(throws: StoreError.self) { try ServerAddress(url) }
        let found = try #require(error)
        #expect(found.kind == .refused)
        #expect(!found.description.contains("hunter2@host/db") || url.contains("a@hunter2"), "\(found)")
        #expect(!found.description.contains("=hunter2"), "\(found)")
        #expect(!found.description.contains(":hunter2"), "\(found)")
    }

    @Test(
        "A URL without a secret is accepted as it is",
        arguments: [
            "postgresql://", "postgresql:///db?host=/run/postgresql",
            "postgres://user@h1:1,h2:2/db?sslmode=verify-full",
            "postgresql://host:5432/db?user=a@b", "postgresql://[::1]:5432/db", "postgresql://h/db?passfile=/etc/pass",
            "POSTGRESQL://host/db",
        ])
    func plain(_ url: String) throws {
        let address = try ServerAddress(url)
        #expect(address.url == url)
        #expect(ServerAddress.redacted(url) == url)
    }

    @Test("Another database's URL is refused", arguments: ["mysql://host/db", "", "/tmp/x", "postgresql:db"])
    func foreign(_ url: String) throws {
        let error = #expect(throws: StoreError.self) { try ServerAddress(url) }
        let found = try #require(error)
        #expect(found.description.contains("postgresql://USER@HOST/NAME"), "\(found)")
    }

    @Test("A list of servers is tried one by one")
    func list() throws {
        let list = try #require(ServerList(host: "a,b,c", hostAddress: "", port: "1,2,3"))
        #expect(list.servers.map(\.description) == ["a:1", "b:2", "c:3"])
        let samePort = try #require(ServerList(host: "a,b", hostAddress: "", port: "7"))
        #expect(samePort.servers.map(\.port) == ["7", "7"])
        let both = try #require(ServerList(host: "a,b", hostAddress: "::1,::2", port: ""))
        #expect(both.servers.map(\.hostAddress) == ["::1", "::2"])
        let none = try #require(ServerList(host: "", hostAddress: "", port: ""))
        #expect(none.servers.map(\.description) == ["the local server"])
        #expect(ServerList(host: "a,b", hostAddress: "", port: "1,2,3") == nil)
        #expect(ServerList(host: "a,b", hostAddress: "::1", port: "") == nil)
    }
}
