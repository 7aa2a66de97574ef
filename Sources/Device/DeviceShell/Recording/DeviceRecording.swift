/// A recording of a device's events that goes on until it is finished.
package protocol DeviceRecording: AnyObject, Sendable {
    /// The directory of the recording.
    var path: String { get }

    /// Ends the recording and completes its files. Later calls return the same.
    func finish() -> RecordingReport
}
