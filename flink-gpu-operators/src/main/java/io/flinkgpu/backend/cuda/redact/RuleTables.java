package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.DeviceRules;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.validator.Entropy;
import io.flinkgpu.text.validator.Iban;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A compiled rule set as the bytes that the kernels read, rules that only the host can finish as {@link
 * DeviceRules} has them. Pure: calls no driver.
 */
final class RuleTables {

    private static final int ALIGNMENT_BYTES = 256;
    private static final int[] POINTERS = {
        RedactAbi.TABLES_START_INFO,
        RedactAbi.TABLES_PAIRS,
        RedactAbi.TABLES_CLASS_OF,
        RedactAbi.TABLES_NEXT,
        RedactAbi.TABLES_MATCH_RULE,
        RedactAbi.TABLES_MATCH_BACK_OFF,
        RedactAbi.TABLES_RULES,
        RedactAbi.TABLES_ALLOW,
        RedactAbi.TABLES_TEXT,
        RedactAbi.TABLES_IBAN_LENGTHS,
        RedactAbi.TABLES_ENTROPY_TERMS,
    };

    private final MergedDfa dfa;
    private final List<Rule> rules;
    private final boolean hashes;
    private final byte[] bytes;
    private final int[] sectionOffsets = new int[POINTERS.length];

    RuleTables(CompiledRules rulesOfHost) {
        CompiledRules compiled = DeviceRules.of(rulesOfHost);
        dfa = new MergedDfa(compiled);
        StartPairs starts = new StartPairs(dfa);
        rules = compiled.ruleSet().rules();
        hashes = compiled.ruleSet().needsHashKey();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        List<byte[]> allowEntries = new ArrayList<>();
        byte[] ruleEntries = ruleEntries(text, allowEntries);
        byte[][] sections = {
            starts.info(),
            starts.pairs(),
            dfa.classTable(),
            chars(dfa.transitionTable()),
            dfa.matchRules(),
            dfa.matchBackOffs(),
            ruleEntries,
            concatenate(allowEntries),
            text.toByteArray(),
            Iban.lengths(),
            ints(Entropy.table()),
        };
        int size = 0;
        for (int i = 0; i < sections.length; i++) {
            sectionOffsets[i] = size;
            size = align(size + sections[i].length);
        }
        bytes = new byte[size];
        for (int i = 0; i < sections.length; i++) {
            System.arraycopy(sections[i], 0, bytes, sectionOffsets[i], sections[i].length);
        }
    }

    /** The tables, to be copied to the device; not to be written to. */
    byte[] bytes() {
        return bytes;
    }

    int ruleCount() {
        return rules.size();
    }

    /** Whether matches of any rule become keyed hashes. */
    boolean hashes() {
        return hashes;
    }

    /**
     * Writes the {@code rule_tables} struct.
     *
     * @param address host address of the struct
     * @param deviceAddress where {@link #bytes()} are on the device
     */
    void writeStruct(long address, long deviceAddress) {
        for (int i = 0; i < POINTERS.length; i++) {
            MemoryUtil.putLong(address + POINTERS[i], deviceAddress + sectionOffsets[i]);
        }
        for (int context = 0; context < Dfa.CONTEXTS; context++) {
            MemoryUtil.putShort(
                    address + RedactAbi.TABLES_START_STATE + 2L * context,
                    (short) dfa.startState(context));
            MemoryUtil.putShort(
                    address + RedactAbi.TABLES_LEAN_START_STATE + 2L * context,
                    (short) dfa.leanStartState(context));
        }
        MemoryUtil.putInt(address + RedactAbi.TABLES_STRIDE_SHIFT, dfa.strideShift());
        MemoryUtil.putInt(address + RedactAbi.TABLES_END_CLASS, dfa.endClass());
        MemoryUtil.putInt(address + RedactAbi.TABLES_FINAL_LIMIT, dfa.finalLimit());
        MemoryUtil.putInt(address + RedactAbi.TABLES_MATCH_LIMIT, dfa.matchLimit());
        MemoryUtil.putInt(address + RedactAbi.TABLES_RULE_COUNT, rules.size());
        MemoryUtil.putInt(address + RedactAbi.TABLES_GATE_BYTE, dfa.gateByte());
    }

    private byte[] ruleEntries(ByteArrayOutputStream text, List<byte[]> allowEntries) {
        ByteBuffer entries = littleEndian(rules.size() * RedactAbi.RULE_BYTES);
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.get(i);
            int at = i * RedactAbi.RULE_BYTES;
            putAction(entries, at, rule.action(), text);
            entries.putInt(at + RedactAbi.RULE_VALIDATOR, rule.validator().kind().ordinal());
            entries.putInt(
                    at + RedactAbi.RULE_VALIDATOR_ARGUMENT, rule.validator().minMilliBitsPerByte());
            AllowList allowed = rule.allowList();
            List<byte[]> prefixes = withoutCovered(sorted(allowed.prefixes()));
            entries.putInt(at + RedactAbi.RULE_ALLOW_FIRST, allowEntries.size());
            entries.putInt(at + RedactAbi.RULE_ALLOW_VALUES, allowed.values().size());
            entries.putInt(at + RedactAbi.RULE_ALLOW_PREFIXES, prefixes.size());
            sorted(allowed.values()).forEach(value -> allowEntries.add(allowEntry(value, text)));
            prefixes.forEach(prefix -> allowEntries.add(allowEntry(prefix, text)));
            putRivals(entries, at, i);
        }
        return entries.array();
    }

    private void putRivals(ByteBuffer entries, int at, int rule) {
        int rivals = dfa.rivals(rule);
        entries.putInt(at + RedactAbi.RULE_RIVALS, rivals);
        for (int context = 0; context < Dfa.CONTEXTS; context++) {
            int state = rivals == RedactAbi.RIVALS_WALKED ? dfa.rivalStartState(rule, context) : 0;
            entries.putShort(at + RedactAbi.RULE_RIVAL_START_STATE + 2 * context, (short) state);
        }
    }

    private static void putAction(
            ByteBuffer entries, int at, Action action, ByteArrayOutputStream text) {
        if (action instanceof Action.Mask mask) {
            entries.putInt(at + RedactAbi.RULE_ACTION, RedactAbi.ACTION_MASK);
            entries.putInt(at + RedactAbi.RULE_KEEP_FIRST, mask.keepFirst());
            entries.putInt(at + RedactAbi.RULE_KEEP_LAST, mask.keepLast());
            entries.putInt(at + RedactAbi.RULE_MASK_CHAR, mask.maskChar());
        } else if (action instanceof Action.Hash hash) {
            entries.putInt(at + RedactAbi.RULE_ACTION, RedactAbi.ACTION_HASH);
            entries.putInt(
                    at + RedactAbi.RULE_TEXT_BYTES,
                    utf8(hash.prefix()).length + hash.hexDigits() + utf8(hash.suffix()).length);
        } else {
            byte[] label = action instanceof Action.Label fixed ? utf8(fixed.text()) : new byte[0];
            entries.putInt(at + RedactAbi.RULE_ACTION, RedactAbi.ACTION_TEXT);
            entries.putInt(at + RedactAbi.RULE_TEXT_OFFSET, text.size());
            entries.putInt(at + RedactAbi.RULE_TEXT_BYTES, label.length);
            text.writeBytes(label);
        }
    }

    private static byte[] allowEntry(byte[] allowed, ByteArrayOutputStream text) {
        ByteBuffer entry = littleEndian(RedactAbi.ALLOW_BYTES);
        entry.putInt(RedactAbi.ALLOW_TEXT_OFFSET, text.size());
        entry.putInt(RedactAbi.ALLOW_TEXT_BYTES, allowed.length);
        text.writeBytes(allowed);
        return entry.array();
    }

    private static List<byte[]> sorted(List<String> texts) {
        return texts.stream().map(RuleTables::utf8).sorted(Arrays::compareUnsigned).toList();
    }

    /** Leaves out prefixes that another prefix covers, so that one look-up in order is enough. */
    private static List<byte[]> withoutCovered(List<byte[]> sorted) {
        List<byte[]> kept = new ArrayList<>();
        for (byte[] entry : sorted) {
            byte[] last = kept.isEmpty() ? null : kept.get(kept.size() - 1);
            boolean covered =
                    last != null
                            && last.length <= entry.length
                            && Arrays.equals(last, 0, last.length, entry, 0, last.length);
            if (!covered) {
                kept.add(entry);
            }
        }
        return kept;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] concatenate(List<byte[]> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static byte[] chars(char[] values) {
        ByteBuffer buffer = littleEndian(2 * values.length);
        buffer.asCharBuffer().put(values);
        return buffer.array();
    }

    private static byte[] ints(int[] values) {
        ByteBuffer buffer = littleEndian(4 * values.length);
        buffer.asIntBuffer().put(values);
        return buffer.array();
    }

    private static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int align(int bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }
}
