package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rule sets of many rules, as packs have them, against the oracle.
 *
 * <p>Covers: LiteralMatches.
 */
class ManyRulesTest {

    private static final long SEED = 20_261_126;
    private static final int RULES = 700;
    private static final String[] SYLLABLES = {"ab", "to", "ken", "sec", "ret", "key", "x-", "pi"};

    private final Random random = new Random(SEED);

    @Test
    void areAnsweredAsOneAlternation() throws Exception {
        RuleSet rules = rules();
        byte[][] rows = new byte[600][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = row(random.nextInt(12)).getBytes(StandardCharsets.ISO_8859_1);
        }

        Redactor.Redacted expected = new OracleRedactor().redact(rules, Fuzz.HASH_KEY, rows);
        assertThat(Arrays.stream(expected.matchesPerRule()).filter(count -> count > 0).count())
                .isGreaterThan(60);
        compare(rules, rows, expected);
    }

    @Test
    void rowsWithTextsWithoutEndAreAnsweredAsByTheLinearMatcher() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        rule("walks far", "key.*!"),
                        rule("far, with a group", "token(.*)!").withGroup("1"),
                        rule("many", "e{0,9}secret").withValidator(Validator.entropy(7)),
                        rule("more", "(?:et|t)?sec(?:ret)?").withValidator(Validator.entropy(7)),
                        rule("last", "ret"));
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

    private RuleSet rules() {
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < RULES; i++) {
            String word = word();
            Rule rule =
                    switch (random.nextInt(8)) {
                        case 0 ->
                                rule("r" + i, "(?i)" + word + "[ _-]?[:=] {0,3}([a-z0-9]{4,12})\\b")
                                        .withGroup("1")
                                        .withValidator(Validator.entropy(2));
                        case 1 -> rule("r" + i, "\\b" + word + "-[0-9]{2,9}\\b");
                        case 2 ->
                                rule("r" + i, "[a-z]{0,4}" + word + "\\d+")
                                        .withAllowList(AllowList.ofPrefixes("ab", "x"));
                        case 3 -> rule("r" + i, "(?:" + word + "|" + word() + "!)=\\w{2,}");
                        case 4 -> rule("r" + i, "\\w+" + word + "[é=]");
                        case 5 -> rule("r" + i, "(?i)\\b[0-9a-f]{" + (5 + i % 40) + "}\\b");
                        case 6 -> rule("r" + i, "(?<=[:=])" + word + "$");
                        default ->
                                Rule.of(
                                        "r" + i,
                                        word + "\\s[^a-k]{1,4}" + word(),
                                        i % 2 == 0 ? Action.hash("[", 16, "]") : Action.drop());
                    };
            rules.add(rule);
        }
        return RuleSet.of(rules).allowUnmatchable();
    }

    private static Rule rule(String name, String regex) {
        return Rule.of(name, regex, Action.label("<" + name + ">"));
    }

    private String word() {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < 2 + random.nextInt(2); i++) {
            word.append(SYLLABLES[random.nextInt(SYLLABLES.length)]);
        }
        return word.toString();
    }

    private String row(int parts) {
        String[] joints = {"=", ": ", "-", " ", "é", "\u00ff", "_=", "!=", "\n"};
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < parts; i++) {
            String word = word();
            row.append(random.nextInt(4) == 0 ? word.toUpperCase(Locale.ROOT) : word);
            row.append(joints[random.nextInt(joints.length)]);
            if (random.nextBoolean()) {
                row.append(Long.toString(random.nextLong() >>> random.nextInt(60), 16));
                row.append(random.nextBoolean() ? " " : "");
            }
        }
        return row.toString();
    }
}
