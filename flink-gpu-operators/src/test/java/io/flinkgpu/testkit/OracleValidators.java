package io.flinkgpu.testkit;

import io.flinkgpu.api.Validator;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The validators, each by its definition in docs/rules.md and as plainly as can be. */
final class OracleValidators {

    // SWIFT, IBAN Registry.
    private static final String IBAN_LENGTHS =
            "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22"
                    + " DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27"
                    + " GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21"
                    + " LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15"
                    + " OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24"
                    + " SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30";

    private OracleValidators() {}

    /** The length of an IBAN of each country, by country code. */
    static Map<String, Integer> ibanLengths() {
        Map<String, Integer> lengths = new TreeMap<>();
        for (String entry : IBAN_LENGTHS.split(" ")) {
            lengths.put(entry.substring(0, 2), Integer.parseInt(entry.substring(2)));
        }
        return lengths;
    }

    /** Whether a validator accepts the bytes of a match, which are well-formed UTF-8. */
    static boolean accepts(Validator validator, byte[] match) {
        String text = new String(match, StandardCharsets.UTF_8);
        return switch (validator.kind()) {
            case NONE -> true;
            case LUHN -> match.length <= 64 && luhn(withoutSeparators(text));
            case IBAN -> match.length <= 64 && iban(text.replace(" ", ""));
            case IPV6 -> ipv6(text);
            case US_SSN -> match.length <= 64 && usSsn(withoutSeparators(text));
            case ENTROPY -> entropy(match, validator.minMilliBitsPerByte());
        };
    }

    private static String withoutSeparators(String text) {
        return text.replace(" ", "").replace("-", "");
    }

    /** ISO/IEC 7812-1, annex B. */
    private static boolean luhn(String digits) {
        if (!digits.matches("[0-9]{12,19}")) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            int fromRight = digits.length() - 1 - i;
            int value = (digits.charAt(i) - '0') * (fromRight % 2 == 1 ? 2 : 1);
            sum += value / 10 + value % 10;
        }
        return sum % 10 == 0;
    }

    /** ISO 13616: the first four characters go to the end, letters become 10 to 35. */
    private static boolean iban(String iban) {
        if (!iban.matches("[A-Z]{2}[0-9]{2}[A-Z0-9]+")
                || ibanLengths().getOrDefault(iban.substring(0, 2), 0) != iban.length()) {
            return false;
        }
        StringBuilder number = new StringBuilder();
        (iban.substring(4) + iban.substring(0, 4))
                .chars()
                .forEach(c -> number.append(Character.digit(c, 36)));
        return new BigInteger(number.toString()).mod(BigInteger.valueOf(97)).intValue() == 1;
    }

    /** RFC 4291, section 2.2; {@code ::} stands for one group of zeros or more. */
    private static boolean ipv6(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return groups(text, true) == 8;
        }
        int left = groups(text.substring(0, gap), false);
        int right = groups(text.substring(gap + 2), true);
        return left >= 0 && right >= 0 && left + right <= 7;
    }

    /** How many 16-bit groups a part without {@code ::} has; -100 if it is malformed. */
    private static int groups(String part, boolean ipv4Allowed) {
        if (part.isEmpty()) {
            return 0;
        }
        String[] pieces = part.split(":", -1);
        int groups = 0;
        for (int i = 0; i < pieces.length; i++) {
            if (pieces[i].matches("[0-9A-Fa-f]{1,4}")) {
                groups++;
            } else if (ipv4Allowed && i == pieces.length - 1 && ipv4(pieces[i])) {
                groups += 2;
            } else {
                return -100;
            }
        }
        return groups;
    }

    private static boolean ipv4(String text) {
        String byteValue = "(?:[01]?[0-9]?[0-9]|2[0-4][0-9]|25[0-5])";
        return text.matches(byteValue + "(?:\\." + byteValue + "){3}");
    }

    /** Social Security Administration, "Social Security Number Randomization". */
    private static boolean usSsn(String digits) {
        return digits.matches("[0-9]{9}")
                && !digits.startsWith("000")
                && !digits.startsWith("666")
                && !digits.startsWith("9")
                && !digits.startsWith("00", 3)
                && !digits.endsWith("0000");
    }

    private static boolean entropy(byte[] match, int minMilliBits) {
        byte[] bytes = Arrays.copyOf(match, Math.min(match.length, 256));
        Map<Byte, Integer> counts = new HashMap<>();
        for (byte b : bytes) {
            counts.merge(b, 1, Integer::sum);
        }
        long bits = scaled(bytes.length);
        for (int count : counts.values()) {
            bits -= scaled(count);
        }
        return 1000 * (bits + bytes.length) >= (long) minMilliBits * bytes.length * 32768;
    }

    /** {@code round(k log2(k) 2^15)}; no k up to 256 comes close to a half. */
    private static long scaled(int k) {
        return Math.round(k * (Math.log(k) / Math.log(2)) * 32768);
    }
}
