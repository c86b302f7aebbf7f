package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Form;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cpu.CpuBackend;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random rule sets, forms, and rows of which parts are encoded, against the oracle of forms.
 *
 * <p>Covers: ViewedRedaction.
 */
class FormsFuzzTest {

    private static final long PAIRS = Long.getLong("fuzz.pairs", 8_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_261_124);
    private static final int ROWS_PER_SET = 100;
    private static final byte[] KEY = TestRequests.KEY;

    @Test
    void theCpuBackendAnswersAsTheOracle() throws Exception {
        compare(() -> CpuBackend.open(TestRequests.of(64L << 20)));
    }

    static void compare(Callable<Backend> open) throws Exception {
        FuzzTally tally =
                FuzzThreads.run(
                        SEED, PAIRS, () -> FuzzThreads.on(open.call(), FormsFuzzTest::compareSet));
        assertThat(tally.viewed()).isGreaterThan(tally.pairs() / 4);
    }

    /** Compares the rule set of a seed; throws at the first difference. */
    private static void compareSet(Redactor redactor, long seed, FuzzTally tally) throws Exception {
        Random random = new Random(seed);
        RuleGen gen = new RuleGen(random);
        List<RuleGen.Generated> generated = gen.rules();
        RuleSet rules = RuleSet.of(withoutDrops(generated)).withForms(forms(random));
        TextGen texts = new TextGen(generated, gen.alphabet(), random);
        byte[][] made =
                Arrays.stream(texts.rows(ROWS_PER_SET))
                        .map(row -> encoded(row, random))
                        .toArray(byte[][]::new);
        try {
            redactor.redact(rules, KEY, new byte[0][]);
        } catch (RuleException e) {
            return;
        }
        AnsweredRows answered = AnsweredRows.of(new FormsOracle(), rules, KEY, made);
        byte[][] rows = answered.rows();
        Redactor.Redacted expected = answered.expected();
        Redactor.Redacted actual = redactor.redact(rules, KEY, rows);
        long viewed = 0;
        long changed = 0;
        for (int i = 0; i < rows.length; i++) {
            viewed += FormsOracle.views(rules, rows[i]).isEmpty() ? 0 : 1;
            changed += expected.changed()[i] ? 1 : 0;
            assertThat(Fuzz.javaBytes(actual.rows()[i]))
                    .as(
                            "seed=%d forms=%s rules=%s row=%s",
                            seed, rules.forms(), rules.rules(), Fuzz.javaBytes(rows[i]))
                    .isEqualTo(Fuzz.javaBytes(expected.rows()[i]));
        }
        assertThat(actual.changed()).as("seed=%d", seed).isEqualTo(expected.changed());
        assertThat(actual.matchesPerRule())
                .as("seed=%d forms=%s rules=%s", seed, rules.forms(), rules.rules())
                .isEqualTo(expected.matchesPerRule());
        tally.add(rows.length, changed, viewed, 0);
    }

    static List<Rule> withoutDrops(List<RuleGen.Generated> generated) {
        List<Rule> rules = new ArrayList<>();
        for (RuleGen.Generated each : generated) {
            Rule rule = each.rule();
            boolean empty =
                    rule.action() instanceof Action.Drop
                            || rule.action() instanceof Action.Label label
                                    && label.text().isEmpty();
            rules.add(
                    empty
                            ? new Rule(
                                    rule.name(),
                                    rule.regex(),
                                    Action.label("<>"),
                                    rule.validator(),
                                    rule.allowList(),
                                    rule.group(),
                                    rule.context(),
                                    rule.confidence())
                            : rule);
        }
        return rules;
    }

    static Set<Form> forms(Random random) {
        Set<Form> forms = EnumSet.noneOf(Form.class);
        for (Form form : Form.values()) {
            if (random.nextInt(2) == 0) {
                forms.add(form);
            }
        }
        return forms;
    }

    /** The row with pieces of it written in other forms, and with what only looks like that. */
    static byte[] encoded(byte[] row, Random random) {
        byte[] bytes = row;
        for (int times = random.nextInt(4); times > 0; times--) {
            int from = random.nextInt(bytes.length + 1);
            int to = from + random.nextInt(Math.min(20, bytes.length - from) + 1);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(bytes, 0, from);
            out.writeBytes(written(Arrays.copyOfRange(bytes, from, to), random));
            out.write(bytes, to, bytes.length - to);
            bytes = out.toByteArray();
        }
        return bytes;
    }

    private static byte[] written(byte[] piece, Random random) {
        StringBuilder out = new StringBuilder();
        int way = random.nextInt(14);
        if (way == 0) {
            String padded = Base64.getEncoder().encodeToString(piece);
            return padded.replace("=", random.nextBoolean() ? "=" : "")
                    .getBytes(StandardCharsets.US_ASCII);
        }
        for (byte b : piece) {
            int c = b & 0xff;
            switch (way) {
                case 1 -> out.append(String.format("%%%02X", c));
                case 2 -> out.append(String.format("&#%d;", c));
                case 3 -> out.append(String.format("&#x%x;", c));
                case 4 -> out.append(String.format("\\u%04x", c));
                case 5 -> out.append(String.format("\\x%02x", c));
                case 6 -> out.append("\u001b[3").append(c % 8).append('m').append((char) c);
                case 7 -> out.append((char) c).append("\u00e2\u0080\u008b");
                case 8 -> out.append(c > ' ' && c < 0x7f ? wide(c) : Character.toString(c));
                case 9 -> out.append((char) c).append("\u00cc\u0081");
                case 10 -> out.append(c == ' ' ? "+" : Character.toString(c)).append('\0');
                case 11 -> out.append("%&\\\u001b[]\u0007".charAt(c % 7)).append((char) c);
                case 12 ->
                        out.append("\\ud83d\\ude00&lt;\\n%zz&bogus;\\u12")
                                .append((char) c)
                                .append("\\ud800");
                default -> out.append("\u001b]0;").append((char) c).append('\u0007');
            }
        }
        return out.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String wide(int c) {
        byte[] utf8 = Character.toString(c - 0x21 + 0xff01).getBytes(StandardCharsets.UTF_8);
        return new String(utf8, StandardCharsets.ISO_8859_1);
    }
}
