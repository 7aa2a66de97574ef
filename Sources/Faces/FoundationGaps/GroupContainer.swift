import Foundation
import Homes

/// The directory of an app group on a device.
struct GroupContainer {
    let url: URL

    /// - Parameter identifier: The group's identifier; the result is nil if it is no name of a folder.
    init?(_ identifier: String, home: String = NSHomeDirectory()) {
        guard !["", ".", ".."].contains(identifier), !identifier.utf8.contains(UInt8(ascii: "/")),
            !identifier.utf8.contains(0)
        else { return nil }
        url = URL(filePath: ProgramHome(home).container(ofGroup: identifier), directoryHint: .isDirectory)
    }
}
