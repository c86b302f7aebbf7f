package io.flinkgpu.text.validator;

import org.apache.flink.annotation.Internal;

/**
 * The check of international bank account numbers (ISO 13616-1, checksum ISO/IEC 7064 MOD 97-10), over
 * bytes.
 *
 * <p>Definition. More than 64 bytes: no. Bytes {@code ' '} are skipped, wherever they are. What is left
 * is c0 c1 c2 ...: any byte other than {@code 'A'} to {@code 'Z'} and {@code '0'} to {@code '9'}, or
 * more than 34 of them: no. c0 and c1 are letters, c2 and c3 are digits, and there are exactly {@code
 * lengths[26 * (c0 - 'A') + (c1 - 'A')]} of them, where 0 stands for a country without IBANs; else no.
 * The characters c4 c5 ... c0 c1 c2 c3, a letter written as the two-digit number {@code letter - 'A' +
 * 10}, are one decimal number; yes if it leaves 1 when divided by 97. The check digits' range 02 to 98
 * is not checked.
 *
 * <p>Kernels implement the same definition with the same table.
 */
@Internal
public final class Iban {

    /** The most bytes accepted, spaces included, so that judging takes bounded time. */
    public static final int MAX_BYTES = 64;

    /** The most characters of an IBAN, spaces not counted. */
    public static final int MAX_CHARACTERS = 34;

    /** Countries and lengths of the SWIFT IBAN registry. */
    private static final String REGISTRY =
            "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22"
                    + " DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27"
                    + " GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21"
                    + " LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15"
                    + " OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24"
                    + " SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30";

    private static final byte[] LENGTHS = parseRegistry();

    private Iban() {}

    /** Whether {@code bytes[from, to)} is accepted. */
    public static boolean accepts(byte[] bytes, int from, int to) {
        if (to - from > MAX_BYTES) {
            return false;
        }
        int count = 0;
        int length = 0;
        int head = 0;
        int remainder = 0;
        for (int i = from; i < to; i++) {
            int value = bytes[i];
            if (value == ' ') {
                continue;
            }
            boolean digit = value >= '0' && value <= '9';
            boolean letter = value >= 'A' && value <= 'Z';
            if (count == MAX_CHARACTERS
                    || (count < 2 ? !letter : count < 4 ? !digit : !digit && !letter)) {
                return false;
            }
            int number = digit ? value - '0' : value - 'A' + 10;
            if (count < 4) {
                // Goes after the rest: at most 353599, and 6 digits long.
                head = head * (digit ? 10 : 100) + number;
                length = count < 2 ? length * 26 + value - 'A' : length;
            } else {
                remainder = (remainder * (digit ? 10 : 100) + number) % 97;
            }
            count++;
        }
        return count >= 4 && count == LENGTHS[length] && (remainder * 1_000_000 + head) % 97 == 1;
    }

    /** The table of lengths, 26 * 26 bytes; the caller owns the copy. */
    public static byte[] lengths() {
        return LENGTHS.clone();
    }

    private static byte[] parseRegistry() {
        byte[] lengths = new byte[26 * 26];
        for (String entry : REGISTRY.split(" ")) {
            int country = 26 * (entry.charAt(0) - 'A') + entry.charAt(1) - 'A';
            lengths[country] = Byte.parseByte(entry.substring(2));
        }
        return lengths;
    }
}
