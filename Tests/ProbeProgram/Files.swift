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
        Construct("file-numbers") {
            func number(_ path: String) -> Int {
                var status = stat()
                return lstat(path, &status) == 0 ? Int(status.st_ino) : -1
            }
            mkdir("file-numbers", 0o700)
            let names = ["a", "b", "c"].map { "file-numbers/" + $0 }
            for name in names { close(open(name, O_WRONLY | O_CREAT, 0o600)) }
            // In the order in which they are looked at, and not that in which they were made.
            let (second, first) = (number(names[1]), number(names[0]))
            trace("one after the other \(first - second)")
            link(names[0], "file-numbers/d")
            rename(names[1], "file-numbers/e")
            trace("of another name \(number("file-numbers/d") == first), renamed \(number("file-numbers/e") == second)")
            unlink("file-numbers/e")
            close(open("file-numbers/e", O_WRONLY | O_CREAT, 0o600))
            trace("made again \(number("file-numbers/e") - first)")
            // To itself, which changes nothing; over another, whose number may be given again; and whole directories.
            rename("file-numbers/e", "file-numbers/e")
            trace("renamed to itself \(number("file-numbers/e") - first)")
            rename("file-numbers/e", names[2])
            close(open("file-numbers/e", O_WRONLY | O_CREAT, 0o600))
            trace("after another was replaced \(number("file-numbers/e") - first)")
            for byRemove in [false, true] {
                mkdir("file-numbers/f", 0o700)
                trace("directory \(number("file-numbers/f") - first)")
                _ = byRemove ? remove("file-numbers/f") : rmdir("file-numbers/f")
            }
            guard let folder = opendir("file-numbers") else { return trace("no folder") }
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard !name.hasPrefix(".") else { continue }
                trace("listed \(Int(entry.pointee.d_ino) == number("file-numbers/" + name))")
            }
            closedir(folder)
            trace("is \(first)")
            finish()
        },
    ]
}
