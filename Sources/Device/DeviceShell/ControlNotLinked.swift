/// A program is asked for what only `DeviceControl` can do, and is not linked with it.
package struct ControlNotLinked: Error, CustomStringConvertible {
    package let description =
        "this program is not linked with DeviceControl: add that product of the package WatchLink to its target's dependencies"

    package init() {}
}
