package io.flinkgpu.applications;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Well-formed secrets and personal data that belong to nobody: checksums are right, values are drawn
 * from a seed. Not thread-safe.
 */
final class FakeSecrets {

    private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String DIGITS = "0123456789";
    private static final String ALPHANUMERIC = UPPER + UPPER.toLowerCase(Locale.ROOT) + DIGITS;
    private static final String HEX = "0123456789abcdef";

    private static final String[] NAMES = {
        "amelia", "bruno", "chiara", "dmitri", "elif", "farid", "greta", "hana", "ines", "jonas",
        "kofi", "leila", "marek", "nadia", "oskar", "priya", "quentin", "rosa", "sven", "tomoko"
    };

    /** A phrase with one secret in it, for each kind of secret, as a service would log it. */
    static final List<Function<FakeSecrets, String>> PHRASES =
            List.of(
                    s -> "loaded signing key " + s.privateKey(),
                    s -> "session restored from cookie sid=" + s.jwt(),
                    s -> "cloning with token " + s.gitHubToken(),
                    s -> "posting to channel as " + s.slackToken(),
                    s -> "assumed role with key id " + s.awsKeyId(),
                    s -> "env aws_secret_access_key=" + s.text(ALPHANUMERIC + "/+", 40),
                    s -> "opening pool " + s.databaseUrl(),
                    s -> "upstream call with Authorization: Bearer " + s.text(ALPHANUMERIC, 32),
                    s -> "retrying with password=" + s.text(ALPHANUMERIC, 14) + " after 401",
                    s -> "invoice mailed to " + s.email(),
                    s -> "charge authorised on card " + s.card(),
                    s -> "payout sent to " + s.iban(),
                    s -> "identity check passed for " + s.ssn(),
                    s -> "verification code texted to " + s.phone(),
                    s -> "order " + s.uuid() + " moved to state PACKED",
                    s -> "dhcp lease renewed for " + s.mac(),
                    s -> "client connected from " + s.ipv6(),
                    s -> "rate limit lifted for " + s.ipv4(),
                    s -> "token issued to account " + s.sid(),
                    s -> "spooling report to " + s.homeFolder() + "/spool/report.csv",
                    s -> "applicant dob: " + s.birthDate() + " accepted");

    private final SplittableRandom random;

    FakeSecrets(long seed) {
        random = new SplittableRandom(seed);
    }

    /** A number from 0 to {@code bound - 1}. */
    int number(int bound) {
        return random.nextInt(bound);
    }

    <T> T pick(T[] values) {
        return values[random.nextInt(values.length)];
    }

    String name() {
        return pick(NAMES);
    }

    String text(String alphabet, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    String hex(int length) {
        return text(HEX, length);
    }

    String ipv4() {
        return "203.0." + (100 + number(120)) + "." + (1 + number(254));
    }

    String email() {
        return name() + "." + name() + number(100) + "@mail" + number(20) + ".example.net";
    }

    String uuid() {
        return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12);
    }

    String card() {
        boolean fifteen = number(5) == 0;
        String head = fifteen ? "37" : number(2) == 0 ? "4" : "5" + (1 + number(5));
        String body = head + text(DIGITS, (fifteen ? 14 : 15) - head.length());
        String digits = body + luhnDigit(body);
        String separator = pick(new String[] {"", " ", "-"});
        return fifteen
                ? String.join(
                        separator,
                        digits.substring(0, 4),
                        digits.substring(4, 10),
                        digits.substring(10))
                : String.join(
                        separator,
                        digits.substring(0, 4),
                        digits.substring(4, 8),
                        digits.substring(8, 12),
                        digits.substring(12));
    }

    String iban() {
        String country = pick(new String[] {"DE", "GB", "NL", "ES"});
        String account =
                switch (country) {
                    case "DE" -> text(DIGITS, 18);
                    case "GB" -> text(UPPER, 4) + text(DIGITS, 14);
                    case "NL" -> text(UPPER, 4) + text(DIGITS, 10);
                    default -> text(DIGITS, 20);
                };
        int check = 98 - mod97(account + country + "00");
        String iban = country + (check < 10 ? "0" : "") + check + account;
        return number(2) == 0 ? iban : iban.replaceAll("(.{4})(?=.)", "$1 ");
    }

    private String ssn() {
        return String.format(
                Locale.ROOT, "%03d-%02d-%04d", 100 + number(500), 1 + number(99), 1 + number(9999));
    }

    private String phone() {
        return number(2) == 0
                ? "+44 20 7946 0" + text(DIGITS, 3)
                : "(" + (2 + number(8)) + "12) 555-01" + text(DIGITS, 2);
    }

    private String mac() {
        return hex(2) + ":" + hex(2) + ":" + hex(2) + ":" + hex(2) + ":" + hex(2) + ":" + hex(2);
    }

    private String ipv6() {
        return "2001:db8:" + hex(4) + ":" + hex(4) + "::" + hex(3);
    }

    private String sid() {
        return "S-1-5-21-" + text("123456789", 9) + "-" + text("123456789", 9) + "-1" + number(999);
    }

    private String homeFolder() {
        return "/home/" + name();
    }

    private String birthDate() {
        return String.format(
                Locale.ROOT, "%d-%02d-%02d", 1940 + number(65), 1 + number(12), 1 + number(28));
    }

    private String databaseUrl() {
        return "postgres://"
                + name()
                + ":"
                + text(ALPHANUMERIC, 12)
                + "@db"
                + number(9)
                + ":5432/app";
    }

    private String jwt() {
        return base64Url("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")
                + "."
                + base64Url(
                        "{\"sub\":\""
                                + name()
                                + "\",\"exp\":"
                                + (1_700_000_000 + number(9999))
                                + "}")
                + "."
                + text(ALPHANUMERIC, 43);
    }

    private String gitHubToken() {
        return "ghp_" + text(ALPHANUMERIC, 36);
    }

    private String slackToken() {
        return "xoxb-" + text(DIGITS, 12) + "-" + text(ALPHANUMERIC, 24);
    }

    private String awsKeyId() {
        return "AKIA" + text(UPPER + "234567", 16);
    }

    private String privateKey() {
        String label = number(2) == 0 ? "RSA PRIVATE KEY" : "PRIVATE KEY";
        return "-----BEGIN "
                + label
                + "-----\\n"
                + text(ALPHANUMERIC + "+/", 64)
                + "\\n-----END "
                + label
                + "-----";
    }

    /** The lines of a PEM file with an Ed25519 key (RFC 8410): one body line, and a full one. */
    String[] privateKeyLines() {
        return new String[] {
            "-----BEGIN PRIVATE KEY-----",
            "MC4CAQAwBQYDK2VwBCIEI" + text(ALPHANUMERIC + "+/", 43),
            "-----END PRIVATE KEY-----"
        };
    }

    private static String base64Url(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The digit that makes the Luhn sum a multiple of ten (ISO/IEC 7812-1 annex B). */
    static int luhnDigit(String body) {
        int sum = 0;
        for (int i = 0; i < body.length(); i++) {
            int digit = body.charAt(body.length() - 1 - i) - '0';
            int weighted = i % 2 == 0 ? digit * 2 : digit;
            sum += weighted > 9 ? weighted - 9 : weighted;
        }
        return (10 - sum % 10) % 10;
    }

    /** ISO 7064 mod 97 of a text whose letters count as 10 to 35. */
    static int mod97(String text) {
        int rest = 0;
        for (int i = 0; i < text.length(); i++) {
            int value = Character.digit(text.charAt(i), 36);
            rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
        }
        return rest;
    }
}
