package import DeviceShell

/// A device that a recorder records.
package final class CassetteSide: DeviceWitness {
    private let recorder: CassetteRecorder
    private let name: String

    package init(_ name: String, of recorder: CassetteRecorder) { (self.name, self.recorder) = (name, recorder) }

    package func saw(_ event: DeviceEvent) { recorder.add(event, of: name) }
}
