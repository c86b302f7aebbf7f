package io.flinkgpu.rules;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the built-in rules must do, whatever runs them.
 *
 * <p>Covers: DefaultRules.
 */
public abstract class DefaultRulesContract {

    /**
     * A text and what becomes of it.
     *
     * @param matches whether the rule must find something
     */
    record Example(String text, String redacted, boolean matches) {}

    /** Runs rules; they hold no hash action. */
    protected abstract Redactor redactor(RuleSet rules);

    @TestFactory
    protected Stream<DynamicTest> eachRuleAloneMakesOfItsExamplesWhatTheySay() {
        return examples("default-examples.yaml").entrySet().stream()
                .flatMap(
                        entry -> {
                            Rule rule = ruleNamed(entry.getKey());
                            Redactor redactor = redactor(RuleSet.of(rule));
                            return tests(rule.name(), redactor, entry.getValue());
                        });
    }

    @TestFactory
    protected Stream<DynamicTest> theSetMakesOfLogLinesWhatTheySay() {
        Redactor redactor = redactor(DefaultRules.get());
        return tests("line", redactor, examples("default-log-lines.yaml").get("lines"));
    }

    private static Stream<DynamicTest> tests(
            String name, Redactor redactor, List<Example> examples) {
        return examples.stream()
                .map(
                        example ->
                                DynamicTest.dynamicTest(
                                        name + ": " + example.text(),
                                        () ->
                                                assertThat(redact(redactor, example.text()))
                                                        .isEqualTo(example.redacted())));
    }

    static Rule ruleNamed(String name) {
        return DefaultRules.all().rules().stream()
                .filter(rule -> rule.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no built-in rule '" + name + "'"));
    }

    static Map<String, List<Example>> examples(String resource) {
        try (InputStream in = DefaultRulesContract.class.getResourceAsStream(resource)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Problems problems = new Problems(resource);
            YamlNode.Fields root = (YamlNode.Fields) YamlNode.parse(text, problems);
            problems.throwIfAny();
            Map<String, List<Example>> examples = new LinkedHashMap<>();
            for (YamlNode.Field field : root.fields()) {
                List<Example> list = new ArrayList<>();
                for (YamlNode item : ((YamlNode.Items) field.value()).nodes()) {
                    list.add(example((YamlNode.Items) item));
                }
                examples.put(field.key().value(), list);
            }
            return examples;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Example example(YamlNode.Items item) {
        String text = ((YamlNode.Text) item.nodes().get(0)).value();
        boolean matches = item.nodes().size() == 2;
        String redacted = matches ? ((YamlNode.Text) item.nodes().get(1)).value() : text;
        return new Example(text, redacted, matches);
    }

    private static String redact(Redactor redactor, String text) {
        byte[] redacted = redactor.redact(text.getBytes(StandardCharsets.UTF_8));
        return new String(redacted, StandardCharsets.UTF_8);
    }
}
