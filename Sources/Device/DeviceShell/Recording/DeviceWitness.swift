/// An object that is told the events of a device, on the threads on which they happen.
package protocol DeviceWitness: AnyObject, Sendable {
    /// Takes an event; must return at once.
    func saw(_ event: DeviceEvent)
}
