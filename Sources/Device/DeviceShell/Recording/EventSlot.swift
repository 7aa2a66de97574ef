import CLinux
import Foundation
import LinkProtocol

/// An event as it waits in a batch: its parts side by side, without a reference to anything that the app or the link frees.
///
/// The recorder's thread would free such an object late. Until then the app's next messages would get other memory, which is
/// in no processor's cache.
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
    }

    /// The place of a content or a text in its batch.
    struct Place: Equatable {
        /// The size of a copy; `kept` if the content itself is held, or `none`.
        var count: Int32
        /// The offset of a copy, or the number of what is held.
        var index: Int32

        static let none = Place(count: -1, index: 0)
        /// Copies are never as long.
        static let kept = Int32.max
    }

    let time: Int64
    let thread: UInt
    let package: UUID?
    let device: UUID?
    let name: StaticString
    /// The error, or the size of a file.
    var number = 0
    var content = Place.none
    var words = Place.none
    let stage: DeviceEvent.Stage
    let side: UInt8
    var parts: Parts = []
    var command = Command.sendMessage
    var status = DeliveryStatus.sent

    @inline(__always)
    init(
        _ name: StaticString, _ stage: DeviceEvent.Stage, _ package: UUID?, of device: UUID?, at time: MonotonicTime,
        side: Int
    ) {
        (self.name, self.stage) = (name, stage)
        (self.time, thread) = (time.nanoseconds, UInt(watchlink_thread_identity()))
        self.side = UInt8(truncatingIfNeeded: side)
        (self.package, self.device) = (package, device)
    }
}
