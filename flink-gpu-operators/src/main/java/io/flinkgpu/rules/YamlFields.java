package io.flinkgpu.rules;

import io.flinkgpu.api.Confidence;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Takes YAML nodes for what they should be, and reports those that are something else. */
final class YamlFields {

    private final Problems problems;

    YamlFields(Problems problems) {
        this.problems = problems;
    }

    /**
     * The fields of a map; unknown keys, keys that are there twice, and anything but a map are errors.
     *
     * @param where stands in front of errors
     */
    Map<String, YamlNode> read(YamlNode node, String where, List<String> known) {
        Map<String, YamlNode> fields = new LinkedHashMap<>();
        if (!(node instanceof YamlNode.Fields map)) {
            problems.unexpected(
                    node,
                    where + "a map is needed",
                    "write key: value pairs, keys: " + String.join(", ", known));
            return fields;
        }
        for (YamlNode.Field field : map.fields()) {
            String key = field.key().value();
            int line = field.key().line();
            if (!known.contains(key)) {
                problems.add(
                        line,
                        where + "unknown key " + Problems.show(key) + Problems.suggest(key, known));
            } else if (fields.putIfAbsent(key, field.value()) != null) {
                problems.add(line, where + "key '" + key + "' is there twice; remove one");
            }
        }
        return fields;
    }

    /** A text that is not empty, cut by a comment or ended by a line end, or null after an error. */
    String text(YamlNode node, String where) {
        String text = anyText(node, where);
        if (text == null) {
            return null;
        }
        String problem = null;
        if (text.isEmpty()) {
            problem = "a text is needed, found an empty one; write one";
        } else if (((YamlNode.Text) node).cut()) {
            problem =
                    "a comment begins behind "
                            + Problems.show(text)
                            + "; put the text in '...' so that ' #' is part of it, or the comment above";
        } else if (text.endsWith("\n")) {
            problem =
                    "the text ends with a line end; begin a block with '|-' or '>-', and write \\n for a"
                            + " line end";
        }
        if (problem != null) {
            problems.add(node.line(), where + problem);
            return null;
        }
        return text;
    }

    /** A text that may be empty, or null after an error. */
    String anyText(YamlNode node, String where) {
        if (node instanceof YamlNode.Text text && !text.isNull()) {
            return text.value();
        }
        problems.unexpected(node, where + "a text is needed", "write one, in '...'");
        return null;
    }

    /** Texts as above. */
    List<String> texts(YamlNode node, String where) {
        List<String> texts = new ArrayList<>();
        if (!(node instanceof YamlNode.Items items) || items.nodes().isEmpty()) {
            String found = node instanceof YamlNode.Items ? "an empty one" : node.describe();
            problems.unexpected(
                    node, where + "a list of texts is needed", found, "write ['...', '...']");
            return texts;
        }
        for (YamlNode item : items.nodes()) {
            String text = text(item, where);
            if (text != null) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** A whole number, or the given one after an error. */
    int number(YamlNode node, String where, int otherwise) {
        if (node instanceof YamlNode.Text text
                && text.plain()
                && text.value().matches("-?[0-9]{1,9}")) {
            return Integer.parseInt(text.value());
        }
        problems.unexpected(node, where + "a whole number is needed", "write digits");
        return otherwise;
    }

    /** A confidence, high if there is no node; null after an error. */
    static Confidence confidence(Problems problems, String where, YamlNode node) {
        if (node == null) {
            return Confidence.HIGH;
        }
        if (node instanceof YamlNode.Text text) {
            for (Confidence confidence : Confidence.values()) {
                if (confidence.name().equals(text.value().toUpperCase(Locale.ROOT))) {
                    return confidence;
                }
            }
        }
        problems.unexpected(
                node, where + "'confidence' is low, medium or high", "write one of these");
        return null;
    }
}
