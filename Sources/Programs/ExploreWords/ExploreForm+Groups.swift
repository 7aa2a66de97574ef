package import ServiceRuntime

extension ExploreForm {
    /// The options of the forms for users, each once, beside others of the same forms.
    package static let groups: [OptionGroup] = {
        var owners: [[ExploreForm]] = []
        var options: [[ExploreForm]: [OptionDefinition]] = [:]
        for option in callOptions {
            let forms = calls.filter { form in form.options.contains { $0.name == option.name } }
            if options[forms] == nil { owners.append(forms) }
            options[forms, default: []].append(option)
        }
        return owners.map { forms in OptionGroup("Options of \(names(of: forms))", options[forms] ?? []) }
    }()

    /// The same, and the options of every form, as the program itself has them.
    package static let programGroups = groups + [OptionGroup("Options of every form", ToolProgram.common)]

    /// Returns “explore, explore services and explore merge”.
    private static func names(of forms: [ExploreForm]) -> String {
        let names = forms.map { $0 == .explore ? "explore" : "explore \($0)" }
        return names.count < 2
            ? names.joined() : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    }
}
