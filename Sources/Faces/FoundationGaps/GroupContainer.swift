import Foundation
import Homes
import Words

/// The directory of an app group on a device.
struct GroupContainer {
    let url: URL

    /// - Parameter identifier: The group's identifier; the result is nil if it is no name of a folder.
    init?(_ identifier: String, home: String = NSHomeDirectory()) {
        guard !["", ".", ".."].contains(identifier), identifier.isWithinFileName else { return nil }
        url = URL(filePath: ProgramHome(home).container(ofGroup: identifier), directoryHint: .isDirectory)
    }
}
