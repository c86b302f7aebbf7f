package io.flinkgpu.text;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.UnknownBytes;

import org.apache.flink.annotation.Internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Makes what stands in place of a match. Texts are literal UTF-8, a mask counts code points, a hash is
 * a {@link KeyedHash} of the match's bytes, a counter starts with each record. A byte that is no UTF-8 counts as a code
 * point. Time is linear in the match. Not thread-safe.
 */
@Internal
public final class Replacer {

    private static final byte[] NOTHING = new byte[0];

    private final List<Action> actions;
    private final byte[][] fixed;
    private final byte[][] prefixes;
    private final byte[][] suffixes;
    private final KeyedHash hash;

    /** Null if no rule needs a key. */
    private final FormatMasks formats;

    /** Of each rule how many replacements the record at hand has; null if no rule counts. */
    private final int[] counts;

    private byte[] buffer = new byte[256];

    /**
     * @param hashKey the key of hash actions; empty when no rule needs one
     * @throws IllegalArgumentException when a rule needs a key and this has fewer than {@link
     *     HashKey#MIN_BYTES} bytes
     */
    public Replacer(RuleSet rules, byte[] hashKey) {
        actions = rules.rules().stream().map(rule -> rule.action()).toList();
        fixed = new byte[actions.size()][];
        prefixes = new byte[actions.size()][];
        suffixes = new byte[actions.size()][];
        hash = rules.needsHashKey() ? newHash(rules, hashKey) : null;
        formats = hash == null ? null : new FormatMasks(hash);
        boolean counted = actions.stream().anyMatch(Action.Counter.class::isInstance);
        counts = counted ? new int[actions.size()] : null;
        for (int i = 0; i < fixed.length; i++) {
            Action action = actions.get(i);
            if (action instanceof Action.Label label) {
                fixed[i] = label.text().getBytes(StandardCharsets.UTF_8);
            } else if (action instanceof Action.Drop) {
                fixed[i] = NOTHING;
            } else if (action instanceof Action.Hash hash) {
                prefixes[i] = hash.prefix().getBytes(StandardCharsets.UTF_8);
                suffixes[i] = hash.suffix().getBytes(StandardCharsets.UTF_8);
            } else if (action instanceof Action.Counter counter) {
                prefixes[i] = counter.prefix().getBytes(StandardCharsets.UTF_8);
                suffixes[i] = counter.suffix().getBytes(StandardCharsets.UTF_8);
            }
        }
    }

    private static KeyedHash newHash(RuleSet rules, byte[] hashKey) {
        if (hashKey.length < HashKey.MIN_BYTES) {
            throw Errors.argument(
                    "rules with a hash action need a key of at least %s bytes: keyBytes=%s,"
                            + " rules=%s; give a HashKey",
                    HashKey.MIN_BYTES, hashKey.length, rules);
        }
        return new KeyedHash(hashKey);
    }

    /** Begins a record: counters start again. */
    public void startRecord() {
        if (counts != null) {
            Arrays.fill(counts, 0);
        }
    }

    /**
     * The fixed replacement of a rule (label, drop), or null if it depends on the match. Not to be
     * written to.
     */
    public byte[] fixed(int rule) {
        return fixed[rule];
    }

    /**
     * Replaces the match of a rule, {@code bytes[from, to)}.
     *
     * @return the number of bytes of the replacement, which are the first of {@link #buffer()}
     */
    public int replace(int rule, byte[] bytes, int from, int to) {
        return replace(rule, bytes, from, to, true);
    }

    /** As {@link #replace(int, byte[], int, int)}, but that a mask keeps no character as it is. */
    public int replaceWhole(int rule, byte[] bytes, int from, int to) {
        return replace(rule, bytes, from, to, false);
    }

    private int replace(int rule, byte[] bytes, int from, int to, boolean keeps) {
        if (fixed[rule] != null) {
            int length = fixed[rule].length;
            reserve(length);
            System.arraycopy(fixed[rule], 0, buffer, 0, length);
            return length;
        }
        if (actions.get(rule) instanceof Action.Mask mask) {
            return mask(mask, bytes, from, to, keeps);
        }
        if (actions.get(rule) instanceof Action.FormatMask) {
            reserve(to - from);
            return formats.write(bytes, from, to, keeps, buffer);
        }
        if (actions.get(rule) instanceof Action.Counter) {
            return count(rule);
        }
        return hash(rule, bytes, from, to);
    }

    /** Whether a rule's replacement has as many characters as the match. */
    public boolean isMask(int rule) {
        return actions.get(rule) instanceof Action.Mask;
    }

    /** Holds the last replacement until the next call. */
    public byte[] buffer() {
        return buffer;
    }

    private int mask(Action.Mask mask, byte[] bytes, int from, int to, boolean keeps) {
        int codePoints = 0;
        for (int i = from; i < to; i += codePointBytes(bytes, i, to)) {
            codePoints++;
        }
        boolean whole = !keeps || codePoints <= mask.keepFirst() + mask.keepLast();
        int keepBelow = whole ? 0 : mask.keepFirst();
        int keepFrom = whole ? codePoints : codePoints - mask.keepLast();
        reserve(to - from);
        int length = 0;
        int codePoint = 0;
        for (int i = from; i < to; codePoint++) {
            int size = codePointBytes(bytes, i, to);
            if (codePoint < keepBelow || codePoint >= keepFrom) {
                System.arraycopy(bytes, i, buffer, length, size);
                length += size;
            } else {
                buffer[length++] = (byte) mask.maskChar();
            }
            i += size;
        }
        return length;
    }

    private int count(int rule) {
        byte[] number = Integer.toString(++counts[rule]).getBytes(StandardCharsets.US_ASCII);
        byte[] prefix = prefixes[rule];
        byte[] suffix = suffixes[rule];
        reserve(prefix.length + number.length + suffix.length);
        System.arraycopy(prefix, 0, buffer, 0, prefix.length);
        System.arraycopy(number, 0, buffer, prefix.length, number.length);
        System.arraycopy(suffix, 0, buffer, prefix.length + number.length, suffix.length);
        return prefix.length + number.length + suffix.length;
    }

    private int hash(int rule, byte[] bytes, int from, int to) {
        int digits = ((Action.Hash) actions.get(rule)).hexDigits();
        byte[] prefix = prefixes[rule];
        byte[] suffix = suffixes[rule];
        reserve(prefix.length + digits + suffix.length);
        System.arraycopy(prefix, 0, buffer, 0, prefix.length);
        int length = prefix.length;
        hash.write(bytes, from, to, digits, buffer, length);
        length += digits;
        System.arraycopy(suffix, 0, buffer, length, suffix.length);
        return length + suffix.length;
    }

    private void reserve(int lengthBytes) {
        if (buffer.length < lengthBytes) {
            buffer = new byte[Math.max(lengthBytes, 2 * buffer.length)];
        }
    }

    private static int codePointBytes(byte[] bytes, int at, int to) {
        return Math.max(1, UnknownBytes.lengthAt(bytes, at, to));
    }
}
