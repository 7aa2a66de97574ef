package import Foundation
package import KeyedArchive

/// The packages that tell a counterpart of a device's new state.
extension DeviceState {
    /// The property lists of all states. There are some hundred, and one is sent at every change: each is encoded once,
    /// and known again by its bytes instead of decoded.
    private struct Contents: Sendable {
        /// By the numbers of the states.
        private(set) var encoded: [Data]
        private(set) var decoded: [Data: DeviceState] = [:]

        init() throws(ArchiveError) {
            let all = DeviceState.all
            encoded = Array(repeating: Data(), count: all.count)
            for state in all {
                let content = try PropertyListValue.dictionary(state.entries).binaryData()
                encoded[state.number] = content
                decoded[content] = state
            }
        }
    }

    private static let contents = Result { () throws(ArchiveError) in try Contents() }

    private static var all: [DeviceState] {
        var all = ApplicationState.allCases.map { application in
            var state = DeviceState()
            state.application = application
            return state
        }
        func vary(_ flag: WritableKeyPath<DeviceState, Bool>) {
            all += all.map { state in
                var other = state
                other[keyPath: flag].toggle()
                return other
            }
        }
        vary(\.isAppInstalled)
        vary(\.isWristDown)
        vary(\.hasWorkout)
        vary(\.isLocked)
        vary(\.serves)
        return all
    }

    /// Its number among all states, from 0.
    private var number: Int {
        let application =
            switch application {
            case .foreground: 0
            case .background: 1
            case .suspended: 2
            case .terminated: 3
            }
        return [isAppInstalled, isWristDown, hasWorkout, isLocked, serves].reduce(application) {
            $0 << 1 | ($1 ? 1 : 0)
        }
    }

    package func package(identifier: UUID, timestamp: Date) throws(ArchiveError) -> MessagePackage {
        MessagePackage(
            identifier: identifier, command: .state, status: .sent,
            dataPackage: try Self.contents.get().encoded[number], timestamp: timestamp)
    }

    /// Decodes the state in a package.
    ///
    /// - Throws: ``ProtocolError`` that names the invalid key.
    package init(_ package: MessagePackage) throws(ProtocolError) {
        if case .success(let contents) = Self.contents, let content = package.dataPackage,
            let state = contents.decoded[content]
        {
            self = state
        } else {
            // Other programs may spell it differently, or leave out what they do not know.
            try self.init(package.content(.badState))
        }
    }
}
