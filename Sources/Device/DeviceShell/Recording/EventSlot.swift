import CLinux
import Foundation
import LinkProtocol

/// An event as it waits in a batch: plain values side by side, in one line of the processor's cache.
struct EventSlot {
    /// The parts that an event has, of those that not all have.
    struct Parts: OptionSet {
        let rawValue: UInt8

        static let error = Parts(rawValue: 1)
        static let bytes = Parts(rawValue: 2)
        static let wantsReply = Parts(rawValue: 4)
        static let propertyList = Parts(rawValue: 8)
        /// The command and the status are its words.
        static let link = Parts(rawValue: 16)
        static let words = Parts(rawValue: 32)
        static let package = Parts(rawValue: 64)
        /// The app did it in a call of its code.
        static let inCall = Parts(rawValue: 128)
    }

    /// The number of the content of an event that has none. A batch has fewer events.
    static let noContent = UInt16.max
    /// The number of the device of an event that has none. A batch has fewer events.
    static let noDevice = UInt16.max

    let time: Int64
    let thread: UInt
    /// Without meaning if it is not among the parts.
    let package: UUID
    /// The first letter of a name that is never freed.
    let name: UnsafePointer<UInt8>
    /// The error, the size of a file, or the number of the words in the batch.
    var number = 0
    /// The number of the content in the batch.
    var content = Self.noContent
    /// The number of the device in the batch.
    var device = Self.noDevice
    let stage: DeviceEvent.Stage
    let side: UInt8
    var parts: Parts = []
    var command = Command.sendMessage
    var status = DeliveryStatus.sent

    /// Stands for a package that there is none.
    private static let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    @inline(__always)
    init(_ name: StaticString, _ stage: DeviceEvent.Stage, _ package: UUID?, at time: MonotonicTime, side: Int) {
        (self.name, self.stage) = (name.utf8Start, stage)
        (self.time, thread) = (time.nanoseconds, UInt(watchlink_thread_identity()))
        self.side = UInt8(truncatingIfNeeded: side)
        self.package = package ?? Self.nobody
        if package != nil { parts.insert(.package) }
    }

    /// True if the app's code is called: what the app does until it returns has this cause.
    var opensCall: Bool { stage == .delivered || stage == .ended || stage == .notified }
}
