package io.flinkgpu.text;

import io.flinkgpu.text.validator.Iban;
import io.flinkgpu.text.validator.Ipv6;
import io.flinkgpu.text.validator.Luhn;
import io.flinkgpu.text.validator.UsSsn;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The validators against independent definitions and known values.
 *
 * <p>Covers: Validator, Ipv6.
 */
class ValidatorsTest {

    private static final long SEED = 20260101L;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4111111111111111",
                "4111 1111 1111 1111",
                "4111-1111-1111-1111",
                "378282246310005",
                "4222222222222",
                "6304000000000000",
                "4000000000000000006",
                " -4-1-1-1 1111 1111 1111- "
            })
    void luhnAcceptsTestCards(String text) {
        assertThat(luhn(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "4111111111111112",
                "4111 1111 1111 111x",
                "4111.1111.1111.1111",
                "00000000000",
                "00000000000000000000",
                "4111111111111111\n",
                "411111111111111\u0661"
            })
    void luhnRefuses(String text) {
        assertThat(luhn(text)).isFalse();
    }

    @Test
    void luhnAgreesWithTheTextbookAndCatchesEverySingleDigitError() {
        Random random = new Random(SEED);
        for (int n = 0; n < 20_000; n++) {
            String digits = randomText(random, "0123456789", 10 + random.nextInt(12));
            boolean expected =
                    digits.length() >= 12 && digits.length() <= 19 && textbookLuhn(digits);
            assertThat(luhn(digits)).as("seed %d: %s", SEED, digits).isEqualTo(expected);
            if (expected) {
                int at = random.nextInt(digits.length());
                char other = (char) ('0' + (digits.charAt(at) - '0' + 1 + random.nextInt(9)) % 10);
                String wrong = digits.substring(0, at) + other + digits.substring(at + 1);
                assertThat(luhn(wrong)).as("seed %d: %s", SEED, wrong).isFalse();
            }
        }
    }

    /** Examples of the SWIFT IBAN registry: every letter position and the extreme lengths. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "NO9386011117947",
                "BE68 5390 0754 7034",
                "DE89370400440532013000",
                "GB29 NWBK 6016 1331 9268 19",
                "FR1420041010050500013M02606",
                "MT84MALT011000012345MTLCAST001S",
                "LC55HEMM000100010012001200023015",
                "RU0304452522540817810538091310419",
                "BR1800360305000010009795493C1"
            })
    void ibanAcceptsRegistryExamples(String text) {
        assertThat(iban(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "DE",
                "DE89",
                "DE88370400440532013000",
                "DE8937040044053201300",
                "DE893704004405320130000",
                "de89370400440532013000",
                "DE89-3704-0044-0532-0130-00",
                "ZZ89370400440532013000",
                "D189370400440532013000",
                "DEA9370400440532013000",
                "US64SVBKUS6S3300958879",
                "GB29NWBK60161331926819\u00e9"
            })
    void ibanRefuses(String text) {
        assertThat(iban(text)).isFalse();
    }

    @Test
    void ibanAgreesWithBigIntegersForEveryCountry() {
        Random random = new Random(SEED);
        byte[] lengths = Iban.lengths();
        int countries = 0;
        for (int code = 0; code < lengths.length; code++) {
            countries += lengths[code] == 0 ? 0 : 1;
            int length = lengths[code] == 0 ? 22 : lengths[code];
            String country = "" + (char) ('A' + code / 26) + (char) ('A' + code % 26);
            String tail = randomText(random, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", length - 4);
            int accepted = 0;
            for (int check = 0; check < 100; check++) {
                String text = String.format("%s%02d%s", country, check, tail);
                boolean expected = lengths[code] != 0 && mod97(text) == 1;
                assertThat(iban(text)).as("seed %d: %s", SEED, text).isEqualTo(expected);
                accepted += expected ? 1 : 0;
            }
            assertThat(accepted).isBetween(lengths[code] == 0 ? 0 : 1, 2);
        }
        assertThat(countries).isEqualTo(89);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ABCD:EF01:2345:6789:ABCD:EF01:2345:6789",
                "2001:DB8:0:0:8:800:200C:417A",
                "2001:DB8::8:800:200C:417A",
                "FF01::101",
                "::1",
                "::",
                "1::",
                "0:0:0:0:0:0:13.1.68.3",
                "0:0:0:0:0:FFFF:129.144.52.38",
                "::13.1.68.3",
                "::FFFF:129.144.52.38",
                "1:2:3:4:5:6:7::",
                "::2:3:4:5:6:7:8",
                "1:2:3:4:5::1.2.3.4",
                "abcd:abcd:abcd:abcd:abcd:abcd:123.123.123.123"
            })
    void ipv6Accepts(String text) {
        assertThat(ipv6(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "1",
                ":1",
                "1:",
                ":::",
                "1:::2",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8:",
                ":1:2:3:4:5:6:7:8",
                "1:2:3:4::5:6:7:8",
                "12345::",
                "g::",
                "fe80::1%eth0",
                "::1/128",
                "[::1]",
                "1.2.3.4",
                "::1.2.3",
                "::1.2.3.4.5",
                "::1.2.3.256",
                "::1.2.3.0004",
                "::1.2..4",
                "::1.2.3.",
                "::.2.3.4",
                "::1.2.3.4:5",
                "::a.2.3.4",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1:2:3:4:5:6::1.2.3.4",
                "1:2:3:4:5:1.2.3.4",
                "abcd:abcd:abcd:abcd:abcd:abcd:123.123.123.1234"
            })
    void ipv6Refuses(String text) {
        assertThat(ipv6(text)).isFalse();
    }

    @Test
    void ipv6AcceptsWhatJavaPrints() throws Exception {
        Random random = new Random(SEED);
        byte[] address = new byte[16];
        for (int n = 0; n < 5_000; n++) {
            random.nextBytes(address);
            String full = java.net.InetAddress.getByAddress(address).getHostAddress();
            assertThat(ipv6(full)).as("seed %d: %s", SEED, full).isTrue();
            String[] groups = full.split(":");
            int first = random.nextInt(8);
            int last = first + random.nextInt(8 - first);
            String compressed =
                    join(groups, 0, first) + "::" + join(groups, last + 1, groups.length);
            assertThat(ipv6(compressed)).as("seed %d: %s", SEED, compressed).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "123-45-6789, true",
        "123 45 6789, true",
        "123456789, true",
        "123-45-6709, true",
        "899-99-9999, true",
        "001-01-0001, true",
        "000-45-6789, false",
        "666-45-6789, false",
        "900-45-6789, false",
        "123-00-6789, false",
        "123-45-0000, false",
        "123-45-678, false",
        "123-45-67890, false",
        "123.45.6789, false",
        "12a-45-6789, false"
    })
    void usSsn(String text, boolean expected) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThat(UsSsn.accepts(bytes, 0, bytes.length)).isEqualTo(expected);
    }

    @Test
    void longMatchesAreRefusedWhateverTheyHold() {
        String card = "4111111111111111";
        String iban = "DE89370400440532013000";
        String ssn = "123-45-6789";
        assertThat(luhn(card + " ".repeat(48))).isTrue();
        assertThat(luhn(card + " ".repeat(49))).isFalse();
        assertThat(iban(iban + " ".repeat(42))).isTrue();
        assertThat(iban(iban + " ".repeat(43))).isFalse();
        assertThat(UsSsn.accepts((ssn + "-".repeat(53)).getBytes(StandardCharsets.UTF_8), 0, 64))
                .isTrue();
        assertThat(UsSsn.accepts((ssn + "-".repeat(54)).getBytes(StandardCharsets.UTF_8), 0, 65))
                .isFalse();
    }

    private static boolean luhn(String text) {
        byte[] bytes = ("1" + text + "1").getBytes(StandardCharsets.UTF_8);
        return Luhn.accepts(bytes, 1, bytes.length - 1);
    }

    private static boolean iban(String text) {
        byte[] bytes = ("A" + text + "1").getBytes(StandardCharsets.UTF_8);
        return Iban.accepts(bytes, 1, bytes.length - 1);
    }

    private static boolean ipv6(String text) {
        byte[] bytes = (":" + text + ":1").getBytes(StandardCharsets.UTF_8);
        return Ipv6.accepts(bytes, 1, bytes.length - 2);
    }

    private static boolean textbookLuhn(String digits) {
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(digits.length() - 1 - i) - '0';
            int doubled = 2 * digit;
            sum += i % 2 == 0 ? digit : doubled / 10 + doubled % 10;
        }
        return sum % 10 == 0;
    }

    private static int mod97(String iban) {
        StringBuilder number = new StringBuilder();
        for (char c : (iban.substring(4) + iban.substring(0, 4)).toCharArray()) {
            number.append(Character.digit(c, 36));
        }
        return new BigInteger(number.toString()).mod(BigInteger.valueOf(97)).intValue();
    }

    private static String join(String[] groups, int from, int to) {
        return String.join(":", java.util.Arrays.copyOfRange(groups, from, to));
    }

    private static String randomText(Random random, String alphabet, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
