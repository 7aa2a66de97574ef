// MARK: - Added by Tests/Mutation/run

let testsThatAreQuick = [
    "CassetteReplayTests", "CassettesTests", "DeviceControlTests", "DeviceEngineTests", "FacesTests",
    "KeyedArchiveTests", "LinkProtocolTests",
    "LinkTransportTests", "QuizSyncTests", "ServiceRuntimeTests", "SimulationTests", "StorageTests",
    "WatchConnectivityTests", "ServicesTests", "WatchLinkTestingTests",
]

func names(_ target: Target) -> [String] {
    target.dependencies.compactMap { dependency in
        switch dependency {
        case .targetItem(let name, _), .byNameItem(let name, _): name
        default: nil
        }
    }
}

var needed: Set<String> = []
var waiting = testsThatAreQuick + ["watchlink-simulate"]
while let name = waiting.popLast() {
    guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
    waiting += names(target)
    for case .plugin(let name, _) in target.plugins ?? [] { waiting.append(name) }
}
package.products = []
package.targets.removeAll { !needed.contains($0.name) }
for target in package.targets where target.type == .regular || target.type == .executable || target.type == .test {
    target.dependencies.append("Planted")
}
package.targets.append(.target(name: "Planted", path: "Tests/Mutation/Planted"))
