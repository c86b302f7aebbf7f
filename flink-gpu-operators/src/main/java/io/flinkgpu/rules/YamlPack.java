package io.flinkgpu.rules;

import io.flinkgpu.api.Confidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the YAML of secrets-patterns-db, under {@code patterns}, and of Presidio, under {@code recognizers}. */
final class YamlPack {

    private static final List<String> ROOTS =
            List.of(
                    "patterns",
                    "recognizers",
                    "supported_languages",
                    "supported_countries",
                    "global_regex_flags");
    private static final List<String> PATTERN_KEYS =
            List.of("name", "regex", "confidence", "score");
    private static final List<String> RECOGNIZER_KEYS =
            List.of(
                    "name",
                    "type",
                    "enabled",
                    "supported_entity",
                    "supported_language",
                    "supported_languages",
                    "country_code",
                    "patterns",
                    "deny_list",
                    "deny_list_score",
                    "context");

    private final Problems problems;
    private final PackBuilder pack;
    private final YamlFields reader;

    YamlPack(Problems problems, PackBuilder pack) {
        this.problems = problems;
        this.pack = pack;
        this.reader = new YamlFields(problems);
    }

    void read(String text) {
        YamlNode root = YamlNode.parse(text, problems);
        if (root == null) {
            throw problems.fail(0, "is empty; it is no rule pack");
        }
        Map<String, YamlNode> fields = reader.read(root, "", ROOTS);
        if (fields.get("patterns") instanceof YamlNode.Items patterns) {
            int number = 0;
            for (YamlNode item : patterns.nodes()) {
                String where = "pattern (#" + ++number + "): ";
                Map<String, YamlNode> pattern = reader.read(item, where, List.of("pattern"));
                if (pattern.containsKey("pattern")) {
                    readPattern(pattern.get("pattern"), where, "", "");
                }
            }
        } else if (fields.get("recognizers") instanceof YamlNode.Items recognizers) {
            int number = 0;
            for (YamlNode item : recognizers.nodes()) {
                readRecognizer(item, "recognizer (#" + ++number + "): ");
            }
        } else {
            problems.add(
                    root.line(),
                    "has no list 'patterns', as secrets-patterns-db, nor 'recognizers', as"
                            + " Presidio; add one");
        }
    }

    /**
     * @param entity what it finds; empty for its name
     * @param flags in front of its regex
     */
    private void readPattern(YamlNode node, String where, String entity, String flags) {
        Map<String, YamlNode> fields = reader.read(node, where, PATTERN_KEYS);
        String name = fields.containsKey("name") ? reader.text(fields.get("name"), where) : null;
        String regex = fields.containsKey("regex") ? reader.text(fields.get("regex"), where) : null;
        if (name == null || regex == null) {
            problems.add(node.line(), where + "'name' and 'regex' are needed; write them");
            return;
        }
        String shown = entity.isEmpty() ? name : entity + ": " + name;
        String label = entity.isEmpty() ? name : entity;
        String translated = Dialect.PYTHON.translate(flags + regex).regex();
        Confidence confidence = confidence(fields, where);
        if (confidence != null) {
            pack.add(
                    node.line(),
                    pack.rule(shown.strip(), label, translated).withConfidence(confidence));
        }
    }

    /** As it says, or by its score; null after an error. */
    private Confidence confidence(Map<String, YamlNode> fields, String where) {
        if (!(fields.get("score") instanceof YamlNode.Text score)
                || !score.value().matches("[01](\\.[0-9]{1,6})?")) {
            return YamlFields.confidence(problems, where, fields.get("confidence"));
        }
        double value = Double.parseDouble(score.value());
        return value < 0.4 ? Confidence.LOW : value < 0.7 ? Confidence.MEDIUM : Confidence.HIGH;
    }

    private void readRecognizer(YamlNode node, String where) {
        if (node instanceof YamlNode.Text) {
            pack.note(node.line(), where + "it is code, and left out");
            return;
        }
        Map<String, YamlNode> fields = new TreeMap<>(reader.read(node, where, RECOGNIZER_KEYS));
        if (!(fields.get("supported_entity") instanceof YamlNode.Text entity)) {
            pack.note(node.line(), where + "it is code, and left out");
            return;
        }
        if (fields.containsKey("context")) {
            pack.note(node.line(), where + "'context' has no effect: its patterns count without");
        }
        if (fields.get("patterns") instanceof YamlNode.Items patterns) {
            // What Presidio compiles patterns with.
            patterns.nodes().forEach(p -> readPattern(p, where, entity.value(), "(?ims)"));
        }
        if (fields.containsKey("deny_list")) {
            List<String> words =
                    new ArrayList<>(reader.texts(fields.get("deny_list"), where + "'deny_list': "));
            String any = words.stream().map(Pattern::quote).collect(Collectors.joining("|"));
            pack.add(
                    node.line(),
                    pack.rule(
                            entity.value() + ": deny list",
                            entity.value(),
                            "(?i)(?<!\\w)(?:" + any + ")(?!\\w)"));
        }
    }
}
