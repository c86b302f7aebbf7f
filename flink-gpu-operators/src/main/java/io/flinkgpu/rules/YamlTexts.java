package io.flinkgpu.rules;

import io.flinkgpu.api.Form;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Reads what texts a record is searched as: {@code forms}, {@code structure}, and {@code fields} of rules. */
final class YamlTexts {

    private static final List<String> KEYS = List.of("format", "drop", "keep");

    private final Problems problems;
    private final YamlFields reader;
    private final Map<String, YamlNode> fieldsOfRules = new LinkedHashMap<>();
    private final List<Form> forms = new ArrayList<>();

    /** Null where records are plain text, or after errors. */
    private Structure structure;

    YamlTexts(Problems problems) {
        this.problems = problems;
        reader = new YamlFields(problems);
    }

    /** Notes what fields a rule is bound to; null for none. */
    void addFields(String rule, YamlNode fields) {
        if (rule != null && fields != null) {
            fieldsOfRules.putIfAbsent(rule, fields);
        }
    }

    /** Reads what the file has of forms and structure, after its rules. */
    void read(YamlNode formsNode, YamlNode structureNode) {
        if (formsNode != null) {
            readForms(formsNode);
        }
        if (structureNode != null) {
            readStructure(structureNode);
        } else if (!fieldsOfRules.isEmpty()) {
            YamlNode first = fieldsOfRules.values().iterator().next();
            problems.add(
                    first.line(),
                    "'fields' needs to know what records are; add 'structure: {format: json}' to the file");
        }
    }

    private void readForms(YamlNode node) {
        if (node instanceof YamlNode.Text all && all.value().equals("all")) {
            forms.addAll(Arrays.asList(Form.values()));
            return;
        }
        for (String key : reader.texts(node, "'forms': ")) {
            add(node, () -> Form.ofKey(key), forms);
        }
    }

    private void add(YamlNode node, Supplier<Form> form, List<Form> to) {
        try {
            to.add(form.get());
        } catch (IllegalArgumentException e) {
            problems.add(node.line(), "'forms': " + e.getMessage());
        }
    }

    private void readStructure(YamlNode node) {
        String where = "'structure': ";
        Map<String, YamlNode> fields = reader.read(node, where, KEYS);
        if (!fields.containsKey("format")) {
            problems.add(node.line(), where + "'format' is missing; write json or logfmt");
            return;
        }
        String name = reader.anyText(fields.get("format"), where + "'format': ");
        Structure.Format format = name == null ? null : format(name);
        if (format == null) {
            problems.unexpected(
                    fields.get("format"),
                    where + "'format' is json or logfmt",
                    name == null ? "no text" : Problems.show(name),
                    "write one of them");
            return;
        }
        structure = Structure.of(format);
        for (String key : List.of("drop", "keep")) {
            YamlNode paths = fields.get(key);
            if (paths != null) {
                String[] named =
                        reader.texts(paths, where + "'" + key + "': ").toArray(new String[0]);
                change(
                        paths,
                        before -> key.equals("drop") ? before.drop(named) : before.keepOnly(named));
            }
        }
        fieldsOfRules.forEach(
                (rule, paths) -> {
                    List<String> named =
                            reader.texts(paths, "rule " + Problems.show(rule) + ": 'fields': ");
                    if (!named.isEmpty()) {
                        change(paths, before -> before.bind(rule, named));
                    }
                });
    }

    private static Structure.Format format(String name) {
        for (Structure.Format format : Structure.Format.values()) {
            if (format.name().toLowerCase(Locale.ROOT).equals(name)) {
                return format;
            }
        }
        return null;
    }

    private void change(YamlNode node, UnaryOperator<Structure> by) {
        try {
            structure = by.apply(structure);
        } catch (IllegalArgumentException e) {
            problems.add(node.line(), e.getMessage());
        }
    }

    /** The rules with forms and structure; of the rules read some may be missing. */
    RuleSet on(RuleSet rules) {
        try {
            RuleSet viewed = forms.isEmpty() ? rules : rules.withForms(forms);
            return structure == null ? viewed : viewed.withStructure(boundTo(rules));
        } catch (IllegalArgumentException e) {
            throw problems.fail(0, e.getMessage());
        }
    }

    private Structure boundTo(RuleSet rules) {
        Structure left =
                Structure.of(structure.format())
                        .drop(structure.dropped().toArray(new String[0]))
                        .keepOnly(structure.kept().toArray(new String[0]));
        for (Rule rule : rules.rules()) {
            List<String> paths = structure.bound().get(rule.name());
            left = paths == null ? left : left.bind(rule.name(), paths);
        }
        return left;
    }
}
