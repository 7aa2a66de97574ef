/// The declarations for one device.
struct DeviceDeclaration {
    let name: String
    let environment: [String: String]
    let start: SimulatedWorld.Action
    /// The times at which it is switched on (true) and killed (false).
    var powers: [(time: Duration, isOn: Bool)]
    var deeds: [(time: Duration, action: SimulatedWorld.Action)] = []
    var always: [SimulatedWorld.Check] = []
    var atEnd: [SimulatedWorld.Check] = []
    var sometimes: [(name: String, condition: SimulatedWorld.Condition)] = []
    var readings: [ReadingDeclaration] = []
}
