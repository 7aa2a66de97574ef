package import Configuration
package import RecordSync

/// The names of an application and the fields of its records, for clients of the control socket.
package struct ApplicationDescription: Equatable, Sendable {
    /// A field that every record has, as answers name it.
    package struct Field: Equatable, Sendable {
        package let name: String
        package let type: RecordColumn.ValueType
    }

    /// The singular name: “workout”.
    package let name: String
    /// The plural name, with which its methods begin: “workouts”.
    package let plural: String
    /// The fields of the payload's columns.
    package let fields: [Field]

    package init(_ application: RecordApplication) {
        name = application.kind.name
        plural = application.kind.plural
        fields = application.kind.columns.map { Field(name: $0.fieldName, type: $0.type) }
    }

    /// Reads the description that a service sent; nil if it is of another form.
    package init?(_ value: JSONValue) {
        guard let name = value["name"]?.string, let plural = value["plural"]?.string,
            let values = value["fields"]?.array
        else { return nil }
        let fields = values.compactMap { value -> Field? in
            guard let name = value["name"]?.string,
                let type = value["type"]?.string.flatMap(RecordColumn.ValueType.init)
            else { return nil }
            return Field(name: name, type: type)
        }
        guard fields.count == values.count else { return nil }
        (self.name, self.plural, self.fields) = (name, plural, fields)
    }

    package var json: JSONValue {
        [
            "name": .string(name), "plural": .string(plural),
            "fields": .array(fields.map { ["name": .string($0.name), "type": .string($0.type.rawValue)] }),
        ]
    }
}
