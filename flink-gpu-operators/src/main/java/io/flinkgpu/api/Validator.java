package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/**
 * A check on the text of a match. On a "no" the match does not count: the later rules are tried at its
 * start, then all rules at the next code point.
 *
 * @param kind which check
 * @param minMilliBitsPerByte for {@link Kind#ENTROPY} the least Shannon entropy per byte, in
 *     thousandths of a bit so that every backend compares the same integers; else 0
 */
@PublicEvolving
public record Validator(Kind kind, int minMilliBitsPerByte) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Accepts everything. */
    public static final Validator NONE = new Validator(Kind.NONE, 0);

    /**
     * The Luhn checksum over 12 to 19 digits (ISO/IEC 7812-1). Spaces and {@code '-'} are skipped; any
     * other byte is a "no", so the rule must match the number alone.
     */
    public static final Validator LUHN = new Validator(Kind.LUHN, 0);

    /**
     * ISO 13616: the country's length and mod 97 = 1. Spaces are skipped; any other byte is a "no", so
     * the rule must match the number alone.
     */
    public static final Validator IBAN = new Validator(Kind.IBAN, 0);

    /** The text parses as an IPv6 address (RFC 4291 section 2.2), without a zone. */
    public static final Validator IPV6 = new Validator(Kind.IPV6, 0);

    /**
     * Nine digits with no 000, 666 or 9xx area, no 00 group, no 0000 serial. Spaces and {@code '-'} are
     * skipped; any other byte is a "no".
     */
    public static final Validator US_SSN = new Validator(Kind.US_SSN, 0);

    public Validator {
        Errors.present("kind", kind);
        boolean entropy = kind == Kind.ENTROPY;
        if (entropy
                ? minMilliBitsPerByte < 1 || minMilliBitsPerByte > 8000
                : minMilliBitsPerByte != 0) {
            throw Errors.argument(
                    "an entropy validator needs 0.001 to 8 bits per byte, no other takes any:"
                            + " kind=%s, minMilliBitsPerByte=%s",
                    kind, minMilliBitsPerByte);
        }
    }

    /** At least this much Shannon entropy over the bytes of the match, for example 3.5. */
    public static Validator entropy(double minBitsPerByte) {
        return new Validator(Kind.ENTROPY, (int) Math.round(minBitsPerByte * 1000));
    }

    /** The checks there are. The order is part of the kernels' ABI. */
    public enum Kind {
        /** None: each match is one. */
        NONE,
        /** The digits have a check digit by Luhn. */
        LUHN,
        /** A country, its length, and the check digits of ISO 13616. */
        IBAN,
        /** An address as RFC 4291 writes it. */
        IPV6,
        /** A number that the Social Security Administration may give. */
        US_SSN,
        /** Bits of entropy per byte, at least so many. */
        ENTROPY
    }
}
