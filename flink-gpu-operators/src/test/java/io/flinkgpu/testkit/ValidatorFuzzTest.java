package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.text.MatchJudge;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random texts that validators accept or only just do not, judged against {@link OracleValidators}.
 *
 * <p>Covers: Validator.
 */
class ValidatorFuzzTest {

    private static final long SEED = Long.getLong("fuzz.seed", 20_260_101);
    private static final int TEXTS = 50_000;

    private final Random random = new Random(SEED);

    @ParameterizedTest
    @EnumSource(names = {"LUHN", "IBAN", "IPV6", "US_SSN"})
    void judgesAsTheOracle(Validator.Kind kind) {
        Supplier<String> texts =
                switch (kind) {
                    case LUHN -> () -> numbers("0123456789", 11 + random.nextInt(10));
                    case IBAN -> this::iban;
                    case IPV6 -> this::ipv6;
                    default -> this::ssn;
                };
        int accepted = check(new Validator(kind, 0), texts);

        assertThat(accepted).as("accepted texts").isBetween(TEXTS / 50, TEXTS * 9 / 10);
    }

    @Test
    void judgesEntropyAsTheOracle() {
        for (int i = 0; i < 3_000; i++) {
            byte[] match = new byte[1 + random.nextInt(i % 10 == 0 ? 6000 : 60)];
            int values = 1 + random.nextInt(i % 3 == 0 ? 256 : 20);
            for (int at = 0; at < match.length; at++) {
                match[at] = (byte) (i % 5 == 0 ? at % values : random.nextInt(values));
            }
            int edge = (int) (1000 * Math.log(Math.min(values, match.length)) / Math.log(2));
            for (int delta = -2; delta <= 2; delta++) {
                int milliBits = Math.min(8000, Math.max(1, edge + delta - random.nextInt(400)));
                check(new Validator(Validator.Kind.ENTROPY, milliBits), match);
                milliBits = Math.min(8000, Math.max(1, edge + delta));
                check(new Validator(Validator.Kind.ENTROPY, milliBits), match);
            }
        }
    }

    private int check(Validator validator, Supplier<String> texts) {
        int accepted = 0;
        for (int i = 0; i < TEXTS; i++) {
            String text = damaged(texts.get());
            accepted += check(validator, text.getBytes(StandardCharsets.UTF_8)) ? 1 : 0;
        }
        return accepted;
    }

    private static boolean check(Validator validator, byte[] match) {
        Rule rule = Rule.of("r", "a", Action.drop()).withValidator(validator);
        boolean expected = OracleValidators.accepts(validator, match);
        int verdict = new MatchJudge(RuleSet.of(rule)).judge(0, match, 0, match.length);
        assertThat(verdict)
                .as("%s of %s, seed %d", validator, Fuzz.javaBytes(match), SEED)
                .isEqualTo(expected ? MatchJudge.REDACT : MatchJudge.REJECT);
        return expected;
    }

    private String numbers(String digits, int count) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < count; i++) {
            out.append(digits.charAt(random.nextInt(digits.length())));
            if (random.nextInt(6) == 0) {
                out.append(random.nextBoolean() ? ' ' : '-');
            }
        }
        return out.toString();
    }

    /** Of a country that has them or not; every other one with right check digits. */
    private String iban() {
        Object[] countries = OracleValidators.ibanLengths().keySet().toArray();
        String country = (String) countries[random.nextInt(countries.length)];
        int length = OracleValidators.ibanLengths().get(country);
        if (random.nextInt(8) == 0) {
            country = "" + (char) ('A' + random.nextInt(26)) + (char) ('A' + random.nextInt(26));
        }
        StringBuilder rest = new StringBuilder();
        while (rest.length() < length - 4) {
            rest.append(Character.forDigit(random.nextInt(random.nextInt(4) == 0 ? 36 : 10), 36));
        }
        String account = rest.toString().toUpperCase(Locale.ROOT);
        int check = random.nextInt(100);
        if (random.nextBoolean()) {
            check = rightCheckDigits(country, account);
        }
        String iban = country + String.format("%02d", check) + account;
        return random.nextBoolean() ? iban : iban.replaceAll("(.{4})", "$1 ");
    }

    private static int rightCheckDigits(String country, String account) {
        StringBuilder number = new StringBuilder();
        (account + country + "00").chars().forEach(c -> number.append(Character.digit(c, 36)));
        return 98 - new BigInteger(number.toString()).mod(BigInteger.valueOf(97)).intValue();
    }

    private String ipv6() {
        StringBuilder out = new StringBuilder();
        int groups = 1 + random.nextInt(9);
        int gap = random.nextInt(12);
        for (int i = 0; i < groups; i++) {
            out.append(i == gap ? ":" : "").append(i > 0 || i == gap ? ":" : "");
            out.append(Integer.toHexString(random.nextInt(1 << 4 * (1 + random.nextInt(4)))));
        }
        if (random.nextInt(3) == 0) {
            out.append(":");
            for (int i = 0; i < 4; i++) {
                out.append(i > 0 ? "." : "").append(random.nextInt(i == 1 ? 300 : 256));
            }
        } else if (gap >= groups && random.nextInt(3) == 0) {
            out.append("::");
        }
        return out.toString();
    }

    private String ssn() {
        String[] areas = {"000", "001", "123", "665", "666", "667", "899", "900", "999"};
        return areas[random.nextInt(areas.length)]
                + (random.nextBoolean() ? "-" : "")
                + numbers("001", 2)
                + numbers("0001", 4);
    }

    private String damaged(String text) {
        if (random.nextInt(4) > 0) {
            return text;
        }
        int at = random.nextInt(text.length());
        String insert = random.nextBoolean() ? "" : Character.toString(Alphabet.random(random));
        return text.substring(0, at) + insert + text.substring(at + random.nextInt(2));
    }
}
