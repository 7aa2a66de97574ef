import LinkProtocol
import RecordSync
import ServiceRuntime

extension ServiceSettings {
    /// Returns the path of an application's database. That of the application whose payloads have no name is a setting;
    /// the others are in the state directory under their own names.
    func database(of application: RecordApplication) -> String {
        guard application.payloadName != nil else { return database.file }
        return state.path(of: Self.databaseName(of: application, role))
    }

    /// Returns the usual name of an application's database in the state directory.
    static func databaseName(of application: RecordApplication, _ role: DeviceRole) -> String {
        let plural = application.kind.plural
        return switch role {
        case .host: "\(plural).sqlite"
        case .companion: application.payloadName == nil ? "outbox.sqlite" : "outbox-\(plural).sqlite"
        }
    }
}
