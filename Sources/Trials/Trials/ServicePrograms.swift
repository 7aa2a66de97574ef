package import Foundation

/// The programs of two services.
package struct ServicePrograms: Sendable {
    package let host, companion: URL

    package init(host: URL, companion: URL) { (self.host, self.companion) = (host, companion) }

    /// The services of WatchLink, in the directory of this program.
    package static var own: ServicePrograms {
        func program(_ name: String) -> URL { TrialServices.ownPrograms.appending(path: "watchlink-\(name)") }
        return ServicePrograms(host: program("host"), companion: program("companion"))
    }

    /// - Parameter service: “host” or “companion”.
    package func program(of service: String) -> URL { service == "host" ? host : companion }
}
