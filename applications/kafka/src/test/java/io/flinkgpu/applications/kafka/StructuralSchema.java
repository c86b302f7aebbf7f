package io.flinkgpu.applications.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * As much of Kubernetes' structural schemas as it takes to find what is wrong with a manifest: unknown and
 * missing fields, types, and values that are not in an enum.
 */
final class StructuralSchema {

    private final Map<?, ?> schema;

    StructuralSchema(Object schema) {
        this.schema = (Map<?, ?>) schema;
    }

    /** What is wrong with a node, one line each; empty if nothing is. */
    List<String> problems(Object node) {
        List<String> problems = new ArrayList<>();
        check("spec", node, schema, problems);
        return problems;
    }

    private static void check(String path, Object node, Map<?, ?> schema, List<String> problems) {
        if (Boolean.TRUE.equals(schema.get("x-kubernetes-preserve-unknown-fields"))) {
            return;
        }
        if (Boolean.TRUE.equals(schema.get("x-kubernetes-int-or-string"))) {
            if (!(node instanceof Integer) && !(node instanceof String)) {
                problems.add(path + " is no integer and no string: " + node);
            }
            return;
        }
        if (!hasType(node, (String) schema.get("type"))) {
            problems.add(path + " is no " + schema.get("type") + ": " + node);
            return;
        }
        if (schema.get("enum") instanceof List<?> values && !values.contains(node)) {
            problems.add(path + " is none of " + values + ": " + node);
        }
        if (node instanceof List<?> items) {
            for (int i = 0; i < items.size(); i++) {
                Map<?, ?> of = (Map<?, ?>) schema.get("items");
                check(path + "[" + i + "]", items.get(i), of, problems);
            }
        } else if (node instanceof Map<?, ?> fields) {
            checkFields(path, fields, schema, problems);
        }
    }

    private static void checkFields(
            String path, Map<?, ?> fields, Map<?, ?> schema, List<String> problems) {
        Map<?, ?> properties =
                schema.get("properties") instanceof Map<?, ?> known ? known : Map.of();
        fields.forEach(
                (name, value) -> {
                    Object of = properties.get(name);
                    if (of == null) {
                        of = schema.get("additionalProperties");
                    }
                    if (of instanceof Map<?, ?> field) {
                        check(path + "." + name, value, field, problems);
                    } else {
                        problems.add(path + "." + name + " is unknown");
                    }
                });
        if (schema.get("required") instanceof List<?> required) {
            for (Object name : required) {
                if (!fields.containsKey(name)) {
                    problems.add(path + "." + name + " is missing");
                }
            }
        }
    }

    private static boolean hasType(Object node, String type) {
        return switch (type) {
            case "object" -> node instanceof Map;
            case "array" -> node instanceof List;
            case "string" -> node instanceof String;
            case "boolean" -> node instanceof Boolean;
            case "integer" -> node instanceof Integer || node instanceof Long;
            case "number" -> node instanceof Number;
            default -> throw new IllegalArgumentException("unknown type: " + type);
        };
    }
}
