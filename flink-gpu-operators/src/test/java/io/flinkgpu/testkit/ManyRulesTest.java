package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Form;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.RulePart;
import io.flinkgpu.text.automaton.LiteralIndex;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rule sets of many rules, as packs have them, against the oracle.
 *
 * <p>Covers: text.MergedMatches, LiteralMatches.
 */
class ManyRulesTest {

    private static final long SEED = 20_261_126;
    private static final int RULES = 700;

    private final Random random = new Random(SEED);
    private final ManyRules many = new ManyRules(random);

    @Test
    void areAnsweredAsOneAlternation() throws Exception {
        RuleSet rules = many.rules(RULES);
        byte[][] rows = new byte[600][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = many.row();
        }

        Redactor.Redacted expected = new OracleRedactor().redact(rules, Fuzz.HASH_KEY, rows);
        assertThat(Arrays.stream(expected.matchesPerRule()).filter(count -> count > 0).count())
                .isGreaterThan(60);
        compare(rules, rows, expected);
    }

    @Test
    void areAnsweredUnderFormsAsByTheirOracle() throws Exception {
        List<Rule> rules = new ArrayList<>();
        for (Rule rule : many.rules(RULES).rules()) {
            boolean drops = rule.action() instanceof Action.Drop;
            rules.add(drops ? ManyRules.rule(rule.name(), rule.regex()) : rule);
        }
        RuleSet viewed =
                RuleSet.of(rules)
                        .allowUnmatchable()
                        .withForms(Form.PERCENT, Form.JSON, Form.UNICODE, Form.BASE64);
        byte[][] rows = new byte[150][];
        for (int i = 0; i < rows.length; i++) {
            byte[] row = many.row();
            rows[i] = FormsFuzzTest.encoded(row, random);
        }

        Redactor.Redacted expected = new FormsOracle().redact(viewed, Fuzz.HASH_KEY, rows);
        assertThat(Arrays.stream(expected.matchesPerRule()).sum()).isGreaterThan(60);
        try (Backend backend = CpuBackend.open(TestRequests.of(256L << 20))) {
            Redactor redactor = new BackendRedactor(backend, new LastCompiled(), 1, 37);
            assertSame(expected, redactor.redact(viewed, Fuzz.HASH_KEY, rows));
        }
    }

    @Test
    void rowsWithTextsWithoutEndAreAnsweredAsByTheLinearMatcher() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        ManyRules.rule("walks far", "key.*!"),
                        ManyRules.rule("far, with a group", "token(.*)!").withGroup("1"),
                        ManyRules.rule("many", "e{0,9}secret").withValidator(Validator.entropy(7)),
                        ManyRules.rule("more", "(?:et|t)?sec(?:ret)?")
                                .withValidator(Validator.entropy(7)),
                        ManyRules.rule("last", "ret"));
        byte[][] rows = {
            "key".repeat(20_000).getBytes(StandardCharsets.ISO_8859_1),
            "token key".repeat(3_000).getBytes(StandardCharsets.ISO_8859_1),
            ("token" + "key token".repeat(2_000) + "!").getBytes(StandardCharsets.ISO_8859_1),
            "secret".repeat(90_000).getBytes(StandardCharsets.ISO_8859_1),
            "short token of a key!".getBytes(StandardCharsets.ISO_8859_1),
        };

        LastCompiled inParts = LastCompiled.inParts();
        Redactor.Redacted expected =
                TextRedactor.linear(new LastCompiled()).redact(rules, Fuzz.HASH_KEY, rows);
        try (Backend backend = CpuBackend.open(TestRequests.of(256L << 20))) {
            Redactor.Redacted actual =
                    new BackendRedactor(backend, inParts, 1, 5).redact(rules, Fuzz.HASH_KEY, rows);
            assertSame(expected, actual);
        }
    }

    /** Those that an index has no room for are tried everywhere. */
    @Test
    void rulesMayHaveMoreTextsThanAnIndex() throws Exception {
        List<Rule> rules = new ArrayList<>();
        int perRule = 500;
        for (int i = 0; i < LiteralIndex.MAX_TEXTS / perRule + 2; i++) {
            StringBuilder texts = new StringBuilder();
            for (int text = i * perRule; text < (i + 1) * perRule; text++) {
                texts.append('|').append(Integer.toString(46_656 + text, 36));
            }
            rules.add(ManyRules.rule("r" + i, "=(?:" + texts.substring(1) + ")\\b"));
        }
        RuleSet all = RuleSet.of(rules);
        CompiledRules compiled = RuleCompiler.compileInParts(all);
        assertThat(compiled.literals().rules()).isBetween(100, rules.size() - 1);
        byte[][] rows = {
            "a =1000 b".getBytes(StandardCharsets.ISO_8859_1),
            ("=" + Integer.toString(46_656 + perRule * rules.size() - 1, 36))
                    .getBytes(StandardCharsets.ISO_8859_1)
        };
        try (Backend backend = CpuBackend.open(TestRequests.of(256L << 20))) {
            Redactor.Redacted actual =
                    new BackendRedactor(backend, LastCompiled.inParts(), 1, 5)
                            .redact(all, Fuzz.HASH_KEY, rows);
            assertThat(new String(actual.rows()[0], StandardCharsets.ISO_8859_1))
                    .isEqualTo("a <r0> b");
            assertThat(new String(actual.rows()[1], StandardCharsets.ISO_8859_1))
                    .isEqualTo("<r" + (rules.size() - 1) + ">");
        }
    }

    private void compare(RuleSet rules, byte[][] rows, Redactor.Redacted expected)
            throws Exception {
        CompiledRules compiled = RuleCompiler.compile(rules);
        assertThat(compiled.parts()).hasSizeBetween(300, RULES);
        LastCompiled compiler = new LastCompiled();
        assertSame(expected, TextRedactor.linear(compiler).redact(rules, Fuzz.HASH_KEY, rows));
        try (Backend backend = CpuBackend.open(TestRequests.of(256L << 20))) {
            for (int separatorBytes = 0; separatorBytes < 2; separatorBytes++) {
                Redactor redactor = new BackendRedactor(backend, compiler, separatorBytes, 37);
                assertSame(expected, redactor.redact(rules, Fuzz.HASH_KEY, rows));
            }
            LastCompiled wider = LastCompiled.wider();
            assertThat(wider.compile(rules).parts().stream().filter(RulePart::isWider).count())
                    .isGreaterThan(200);
            Redactor redactor = new BackendRedactor(backend, wider, 1, 37);
            assertSame(expected, redactor.redact(rules, Fuzz.HASH_KEY, rows));
            assertSame(expected, TextRedactor.walking(wider).redact(rules, Fuzz.HASH_KEY, rows));
        }
    }

    private static void assertSame(Redactor.Redacted expected, Redactor.Redacted actual) {
        for (int row = 0; row < expected.rows().length; row++) {
            assertThat(new String(actual.rows()[row], StandardCharsets.ISO_8859_1))
                    .as("seed " + SEED + ", row " + row)
                    .isEqualTo(new String(expected.rows()[row], StandardCharsets.ISO_8859_1));
        }
        assertThat(actual.changed()).isEqualTo(expected.changed());
        assertThat(actual.matchesPerRule()).isEqualTo(expected.matchesPerRule());
    }
}
