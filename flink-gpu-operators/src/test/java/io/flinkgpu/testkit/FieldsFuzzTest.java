package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cpu.CpuBackend;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random rule sets, bound to random fields of which some are left out, and records that are JSON or logfmt, or nearly,
 * against the oracle of fields.
 *
 * <p>Covers: FieldScanner, FieldRules, JsonScanner, LogfmtScanner, PathSet, RecordRedactor.
 */
class FieldsFuzzTest {

    /** Each takes several times what one of plain text does. */
    private static final long PAIRS = Long.getLong("fuzz.pairs", 8_000) / 4;

    private static final long SEED = Long.getLong("fuzz.seed", 20_261_127);
    private static final int ROWS_PER_SET = 100;
    private static final byte[] KEY = TestRequests.KEY;

    /** Over what is between names and values, and over escapes. */
    private static final String[] ACROSS = {
        "\"?\\w+\"?[:=]\\s?\"?[^\"\\s]+",
        "[^\\s]{3,}",
        "\\w+\"",
        "[,:=]\\s?\"?\\w",
        "(?s).{2,6}",
        "\\w+ \\w+",
        "u[0-9a-f]{4}",
        "\\\\.",
        "\\d+",
        "^.",
        "\\w$",
        "a",
        "\"\\w*\""
    };

    @Test
    void theCpuBackendAnswersAsTheOracle() throws Exception {
        compare(() -> CpuBackend.open(TestRequests.of(64L << 20)));
    }

    static void compare(Callable<Backend> open) throws Exception {
        FuzzTally tally =
                FuzzThreads.run(
                        SEED, PAIRS, () -> FuzzThreads.on(open.call(), FieldsFuzzTest::compareSet));
        assertThat(tally.changed()).isGreaterThan(tally.pairs() / 4);
        assertThat(tally.malformed()).isBetween(1L, tally.pairs() * 3 / 4);
    }

    /** Compares the rule set of a seed; throws at the first difference. */
    private static void compareSet(Redactor redactor, long seed, FuzzTally tally) throws Exception {
        Case one = Case.of(seed);
        RuleSet rules = one.rules();
        try {
            redactor.redact(rules, KEY, new byte[0][]);
        } catch (RuleException e) {
            return;
        }
        AnsweredRows answered = AnsweredRows.of(new FieldsOracle(), rules, KEY, one.rows());
        byte[][] rows = answered.rows();
        Redactor.Redacted expected = answered.expected();
        Redactor.Redacted actual = redactor.redact(rules, KEY, rows);
        Structure structure = rules.structure().orElseThrow();
        long malformed = 0;
        long changed = 0;
        for (int i = 0; i < rows.length; i++) {
            malformed += PlainFields.of(rows[i], structure.format()) == null ? 1 : 0;
            changed += expected.changed()[i] ? 1 : 0;
            assertThat(Fuzz.javaBytes(actual.rows()[i]))
                    .as("seed=%d rules=%s row=%s", seed, rules, Fuzz.javaBytes(rows[i]))
                    .isEqualTo(Fuzz.javaBytes(expected.rows()[i]));
        }
        assertThat(actual.changed()).as("seed=%d", seed).isEqualTo(expected.changed());
        assertThat(actual.matchesPerRule())
                .as("seed=%d rules=%s", seed, rules)
                .isEqualTo(expected.matchesPerRule());
        tally.add(rows.length, changed, 0, malformed);
    }

    /** A rule set with a structure, and records for it. */
    record Case(RuleSet rules, byte[][] rows) {

        static Case of(long seed) {
            Random random = new Random(seed);
            RuleGen gen = new RuleGen(random);
            List<RuleGen.Generated> generated = gen.rules();
            List<Rule> rules = FormsFuzzTest.withoutDrops(generated);
            for (int i = random.nextInt(3); i > 0; i--) {
                Action action = gen.action(rules.size());
                boolean empty =
                        action instanceof Action.Drop
                                || action instanceof Action.Label label && label.text().isEmpty();
                String regex = ACROSS[random.nextInt(ACROSS.length)];
                rules.add(
                        random.nextInt(rules.size() + 1),
                        Rule.of(
                                "across" + i,
                                regex,
                                empty ? Action.label("\"=\\\n\u0001 ") : action));
            }
            Structure structure =
                    Structure.of(
                            random.nextBoolean() ? Structure.Format.JSON : Structure.Format.LOGFMT);
            for (Rule rule : rules) {
                if (random.nextInt(4) == 0) {
                    structure = structure.bind(rule.name(), FieldsGen.path(random));
                }
            }
            if (random.nextInt(4) == 0) {
                structure = structure.drop(FieldsGen.path(random), FieldsGen.path(random));
            }
            if (random.nextInt(5) == 0) {
                structure = structure.keepOnly(FieldsGen.path(random), FieldsGen.path(random));
            }
            RuleSet set = RuleSet.of(rules).allowUnmatchable().withStructure(structure);
            if (random.nextInt(3) == 0) {
                set = set.withForms(FormsFuzzTest.forms(random));
            }
            TextGen texts = new TextGen(generated, gen.alphabet(), random);
            return new Case(
                    set, new FieldsGen(texts, structure.format(), random).rows(ROWS_PER_SET));
        }
    }
}
