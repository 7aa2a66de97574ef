import LinkProtocol
import RecordSync
import ServiceRuntime

extension ServiceSettings {
    /// Returns the path of an application's database. That of the application whose payloads have no name is a setting;
    /// the others are in the state directory under their own names.
    func database(of application: RecordApplication) -> String {
        guard application.payloadName != nil else { return database.file }
        let plural = application.kind.plural
        return state.path(of: role == .host ? "\(plural).sqlite" : "outbox-\(plural).sqlite")
    }
}
