import CVirtualTime
import Foundation

extension Construct {
    /// Locks and times of files.
    static let files = [
        Construct("file-locks") {
            let path = "file-locks"
            let first = open(path, O_RDWR | O_CREAT, 0o600)
            let second = open(path, O_RDWR)
            flock(first, LOCK_EX)
            Thread.detachNewThread {
                trace("not at once \(flock(second, LOCK_EX | LOCK_NB)) \(errno == EWOULDBLOCK)")
                trace("locked \(flock(second, LOCK_EX))")
                finish()
            }
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 20)
                flock(first, LOCK_UN)
            }
        },
        Construct("file-times") {
            let path = "file-times"
            let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
            write(descriptor, "a", 1)
            close(descriptor)
            let date = { (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date }
            let first = date()
            trace("written \(first.map { Int($0.timeIntervalSince1970) } ?? -1)")
            Thread.sleep(forTimeInterval: 100)
            trace("unchanged \(date() == first)")
            let again = open(path, O_RDWR)
            write(again, "b", 1)
            trace("changed after \(Int(date()?.timeIntervalSince(first ?? .distantPast) ?? -1))")
            close(again)
            var status = stat()
            stat("/proc/self/exe", &status)
            trace("older than the world \(status.st_mtim.tv_sec <= 1_767_225_600)")
            finish()
        },
    ]
}
