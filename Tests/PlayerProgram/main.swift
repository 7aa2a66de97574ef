// PlayerProgram ROLE WORDS…: a program that knows nothing of virtual time, for the tests of the conductor.
import Foundation

let words = Array(CommandLine.arguments.dropFirst())

func say(_ text: String) {
    let time = Date().timeIntervalSince1970
    FileHandle.standardOutput.write(Data("\(String(format: "%.6f", time)) \(getpid()) \(text)\n".utf8))
}

func number(_ index: Int) -> Double { words.count > index ? Double(words[index]) ?? 0 : 0 }

func address(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
    return address
}

func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var unix = address(path)
    return withUnsafePointer(to: &unix) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
}

func listening(_ path: String) -> Int32 {
    // What an earlier one left.
    unlink(path)
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 5) == 0 else { exit(3) }
    return listener
}

func serve(_ path: String) throws {
    let log = open("received", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    say("serves, after \(lseek(log, 0, SEEK_END))")
    let listener = listening(path)
    while true {
        let connection = accept(listener, nil, nil)
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(connection, &byte, 1) == 1 {
                write(log, &byte, 1)
                say("received \(byte)")
                Thread.sleep(forTimeInterval: 0.2)
                write(connection, &byte, 1)
            }
            close(connection)
        }
    }
}

func ask(_ path: String, count: Int, interval: Double) {
    for number in 0..<count {
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        while withAddress(path, { connect(connection, $0, $1) }) != 0 { sleep(1) }
        var byte = UInt8(number)
        write(connection, &byte, 1)
        let answer = read(connection, &byte, 1)
        say(answer == 1 ? "answered \(byte)" : "no answer to \(number)")
        close(connection)
        Thread.sleep(forTimeInterval: interval)
    }
}

/// Serves one connection after the other, each by the same number.
func serveInTurn(_ path: String) {
    let listener = listening(path)
    while true {
        let connection = accept(listener, nil, nil)
        var byte: UInt8 = 0
        if read(connection, &byte, 1) == 1 { write(connection, &byte, 1) }
        close(connection)
    }
}

/// Connects, and asks after some seconds.
func askLater(_ path: String, _ seconds: Double) {
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard withAddress(path, { connect(connection, $0, $1) }) == 0 else { exit(3) }
    Thread.sleep(forTimeInterval: seconds)
    var byte: UInt8 = 7
    write(connection, &byte, 1)
    if read(connection, &byte, 1) == 1 { say("answered") }
    // Its end would be noticed, too.
    Thread.sleep(forTimeInterval: 1_000_000)
}

/// Two threads and a queue, whose order a seed decides.
func race() {
    let queue = DispatchQueue(label: "race", attributes: .concurrent)
    let group = DispatchGroup()
    for number in 0..<8 {
        queue.async(group: group) {
            usleep(useconds_t(100))
            say("racer \(number)")
        }
    }
    group.wait()
}

func startChild() throws {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/bin/sleep")
    child.arguments = ["1000"]
    try child.run()
    say("child \(child.processIdentifier)")
}

/// Deeds as words such as “10 start phone”: after so many seconds, the conductor is told so.
func direct(_ deeds: [String]) {
    for deed in deeds {
        let parts = deed.split(separator: " ", maxSplits: 1)
        Thread.sleep(forTimeInterval: parts.first.flatMap { Double($0) } ?? 0)
        FileHandle.standardOutput.write(Data("virtual-time: \(parts.last ?? "")\n".utf8))
    }
}

/// Each second makes one file longer, writes over the beginning of the same, and makes a new one, and says what came of each.
func keep() {
    func outcome(_ name: String, _ count: Int) -> String {
        count == 1 ? name : "\(name): \(String(cString: strerror(errno)))"
    }
    let file = open("kept", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    let appended = open("appended", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    var byte: UInt8 = 7
    while true {
        say(outcome("longer", pwrite(file, &byte, 1, lseek(file, 0, SEEK_END))))
        say(outcome("over", pwrite(file, &byte, 1, 0)))
        say(outcome("appended", write(appended, &byte, 1)))
        do {
            try Data("new".utf8).write(to: URL(fileURLWithPath: "new"))
            say("new")
        } catch {
            say("new: \((error as NSError).code == CocoaError.fileWriteOutOfSpace.rawValue ? "no room" : "\(error)")")
        }
        Thread.sleep(forTimeInterval: 1)
    }
}

/// Waits for a time of day in three ways, and counts seconds by the clock that nobody can set.
func awaitTime(_ span: Double) {
    let target = Date(timeIntervalSinceNow: span)
    Thread.detachNewThread {
        let lock = NSCondition()
        lock.lock()
        while lock.wait(until: target) {}
        say("condition")
    }
    DispatchQueue.global().asyncAfter(wallDeadline: .now() + span) { say("wall timer") }
    DispatchQueue.global().asyncAfter(deadline: .now() + span) { say("timer") }
    for second in 0... {
        say("second \(second)")
        Thread.sleep(forTimeInterval: 1)
    }
}

/// Waits for a signal of another program, which finds the kernel's number of this process in a file.
func awaitSignal(_ path: String) throws {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self")
    try Data(own.utf8).write(to: URL(fileURLWithPath: path))
    var number: Int32 = 0
    while sigwait(&signals, &number) == 0 { say("signalled") }
}

func sendSignal(_ path: String) throws {
    Thread.sleep(forTimeInterval: 10)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    say("sent \(kill(Int32(text) ?? 0, SIGUSR1))")
    // Its end would be noticed, too.
    Thread.sleep(forTimeInterval: 1_000_000)
}

/// Writes files that are synchronized or not, old or new, and replaces one; the next life says what it finds.
func save() {
    func found(_ name: String) -> String {
        "\(name)=" + (FileManager.default.contents(atPath: name).map { String(decoding: $0, as: UTF8.self) } ?? "none")
    }
    func write(_ name: String, _ text: String, isSynchronized: Bool) {
        let file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        _ = text.withCString { Glibc.write(file, $0, strlen($0)) }
        if isSynchronized { fsync(file) }
        close(file)
    }
    say(["old", "synced", "unsynced", "replaced", "replaced.new", "removed"].map(found).joined(separator: " "))
    write("old", "o", isSynchronized: false)
    for name in ["synced", "replaced", "removed"] { write(name, "1", isSynchronized: true) }
    Thread.sleep(forTimeInterval: 120)
    write("synced", "2", isSynchronized: false)
    write("unsynced", "1", isSynchronized: false)
    write("replaced.new", "2", isSynchronized: true)
    rename("replaced.new", "replaced")
    unlink("removed")
    say("saved")
    if words.last == "safely" {
        let directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        fsync(directory)
        close(directory)
    }
    let lock = NSLock()
    // Each look at the lock is a place where a crash can come.
    while true { lock.withLock { Thread.sleep(forTimeInterval: 0.2) } }
}

/// Works until it is asked to end, and then a moment longer.
func linger() {
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
    source.setEventHandler {
        say("asked to end")
        Thread.sleep(forTimeInterval: 2)
        exit(0)
    }
    source.resume()
    let lock = NSLock()
    var count = 0
    while true {
        // Each look at the lock is a place where a crash can come.
        lock.withLock { count += 1 }
        say("count \(count)")
        Thread.sleep(forTimeInterval: 1)
    }
}

switch words.first {
case "direct": direct(Array(words.dropFirst()))
case "linger": linger()
case "keep": keep()
case "save": save()
case "target": try awaitSignal(words[1])
case "signal": try sendSignal(words[1])
case "await": awaitTime(number(1))
case "serve": try serve(words[1])
case "serve-in-turn": serveInTurn(words[1])
case "ask-later": askLater(words[1], number(2))
case "ask": ask(words[1], count: Int(number(2)), interval: number(3))
case "race": race()
case "child": try startChild()
case "number":
    var status = stat()
    close(open(words[1], O_WRONLY | O_CREAT, 0o600))
    stat(words[1], &status)
    say("\(status.st_ino)")
case "count":
    let count = UserDefaults.standard.integer(forKey: "count")
    UserDefaults.standard.set(count + 1, forKey: "count")
    say("\(count) \(UserDefaults.standard.synchronize())")
case "exit":
    Thread.sleep(forTimeInterval: number(1))
    exit(Int32(number(2)))
case "toss":
    guard Bool.random() else { exit(9) }
    FileHandle.standardError.write(Data("FINDING: heads \(Int.random(in: 0..<1_000))\n".utf8))
case "trap":
    Thread.sleep(forTimeInterval: number(1))
    let counts = [1, 2, 3]
    say("\(counts[words.count + 5])")
case "tell":
    for (key, value) in ProcessInfo.processInfo.environment.sorted(by: { $0.key < $1.key }) { say("\(key)=\(value)") }
    say("in \(FileManager.default.currentDirectoryPath), \(words.dropFirst().joined(separator: " "))")
    say("descriptors \(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").sorted())")
    say(UUID().uuidString)
default:
    say("the words: direct, linger, keep, save, target, signal, await, serve, serve-in-turn, ask, ask-later, race,")
    say("child, number, count, exit, toss, trap, tell")
    exit(2)
}
