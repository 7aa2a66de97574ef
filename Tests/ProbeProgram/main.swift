// ProbeProgram CONSTRUCT: runs one construct, in a world if the environment says so.
// ProbeProgram CONSTRUCT FIRST LAST MILLISECONDS: forks worlds for each of these seeds from a template, and prints a line for each that tells of its
// course: one from the seed, one from the seed again, and one from the decisions of the first. All of a seed must be equal.
// ProbeProgram --refused CONSTRUCT: becomes the first, where the kernel refuses to leave addresses alone; the words of the environment that begin
// a world have HELD_ before them.
import CProbe
import CVirtualTime
import Foundation

var arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "--refused" {
    guard probe_refuse_personality() else { exit(3) }
    for (name, value) in ProcessInfo.processInfo.environment where name.hasPrefix("HELD_") {
        setenv(String(name.dropFirst(5)), value, 1)
        unsetenv(name)
    }
    var words: [UnsafeMutablePointer<CChar>?] = [strdup(arguments[0]), strdup(arguments[2]), nil]
    execv("/proc/self/exe", &words)
    exit(3)
}
guard arguments.count >= 2, let construct = Construct.all.first(where: { $0.name == arguments[1] }) else {
    FileHandle.standardError.write(Data("ProbeProgram: name one of \(Construct.all.map(\.name))\n".utf8))
    exit(2)
}
if arguments.count == 5, let first = UInt64(arguments[2]), let last = UInt64(arguments[3]), first <= last,
    let milliseconds = UInt32(arguments[4])
{
    virtual_time_fix_addresses(CommandLine.unsafeArgv)
    if let worlds = virtual_time_template_open() {
        TemplateRun(worlds: worlds, milliseconds: milliseconds).printAll(first...last)
        exit(0)
    }
}
// Whoever started this may have had signals blocked, as libdispatch's workers have; a program inherits that.
var signals = sigset_t()
sigfillset(&signals)
sigprocmask(SIG_UNBLOCK, &signals, nil)
construct.body()
RunLoop.main.run()
dispatchMain()
