package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.DeviceRules;
import io.flinkgpu.text.RulePart;
import io.flinkgpu.text.Words;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.validator.Entropy;
import io.flinkgpu.text.validator.Iban;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A compiled rule set as the bytes that the kernels read, rules that only the host can finish as {@link
 * DeviceRules} has them. Pure: calls no driver.
 */
final class RuleTables {

    private static final int[] POINTERS = {
        RedactAbi.TABLES_RULES,
        RedactAbi.TABLES_ALLOW,
        RedactAbi.TABLES_TEXT,
        RedactAbi.TABLES_IBAN_LENGTHS,
        RedactAbi.TABLES_ENTROPY_TERMS,
    };

    private final List<Rule> rules;
    private final boolean hashes;
    private final List<AutomatonTables> everywhere = new ArrayList<>();

    /** Null if no rule is tried only where its texts are. */
    private final TextTables atTexts;

    private final int[] places = new int[POINTERS.length];

    /** Null once taken. */
    private byte[] bytes;

    RuleTables(CompiledRules rulesOfHost) {
        CompiledRules compiled = DeviceRules.of(rulesOfHost);
        rules = compiled.ruleSet().rules();
        hashes = compiled.ruleSet().needsHashKey();
        TableBytes tables = new TableBytes();
        List<RulePart> parts = compiled.parts();
        int withTexts = compiled.isOneAutomaton() ? 0 : compiled.literals().rules();
        int firstWithTexts = parts.size() - withTexts;
        ByteBuffer entries = TableBytes.littleEndian(rules.size() * RedactAbi.RULE_BYTES);
        for (RulePart part : parts.subList(0, firstWithTexts)) {
            AutomatonTables automaton = new AutomatonTables(part, tables);
            everywhere.add(automaton);
            putRivals(entries, part, automaton.dfa());
        }
        atTexts =
                withTexts == 0
                        ? null
                        : new TextTables(
                                compiled.literals(),
                                parts.subList(firstWithTexts, parts.size()),
                                tables);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        List<byte[]> allowEntries = new ArrayList<>();
        putRules(entries, text, allowEntries);
        byte[][] sections = {
            entries.array(),
            concatenate(allowEntries),
            text.toByteArray(),
            Iban.lengths(),
            TableBytes.ofInts(Entropy.table()),
        };
        for (int i = 0; i < sections.length; i++) {
            places[i] = tables.add(sections[i]);
        }
        bytes = tables.toBytes();
    }

    /** The tables, to be copied to the device, of which this keeps only where they are. Called once. */
    byte[] takeBytes() {
        byte[] taken = bytes;
        bytes = null;
        return taken;
    }

    int ruleCount() {
        return rules.size();
    }

    /** Whether matches of any rule become keyed hashes. */
    boolean hashes() {
        return hashes;
    }

    /** How many automata are tried everywhere. */
    int automata() {
        return everywhere.size();
    }

    /** Whether there are rules that are tried only where one of their texts is. */
    boolean hasTexts() {
        return atTexts != null;
    }

    /** Whether one automaton, tried everywhere, has all rules. */
    boolean isOneAutomaton() {
        return automata() == 1 && !hasTexts();
    }

    /**
     * Writes the {@code rule_tables} struct with the actions, and an automaton's tables if there is any.
     *
     * @param automaton its number, of {@link #automata}
     * @param address host address of the struct
     * @param deviceAddress where {@link #takeBytes the tables} are on the device
     */
    void writeStruct(int automaton, long address, long deviceAddress) {
        MemoryUtil.setMemory(address, RedactAbi.TABLES_BYTES, (byte) 0);
        if (automaton < automata()) {
            everywhere.get(automaton).writeStruct(address, deviceAddress);
        }
        for (int i = 0; i < POINTERS.length; i++) {
            MemoryUtil.putLong(address + POINTERS[i], deviceAddress + places[i]);
        }
        MemoryUtil.putInt(address + RedactAbi.TABLES_RULE_COUNT, rules.size());
    }

    /** Writes the {@code text_tables} struct, of zeros if there are no such rules. */
    void writeTexts(long address, long deviceAddress) {
        MemoryUtil.setMemory(address, RedactAbi.TEXT_TABLES_BYTES, (byte) 0);
        if (atTexts != null) {
            atTexts.writeStruct(address, deviceAddress);
        }
    }

    private void putRules(
            ByteBuffer entries, ByteArrayOutputStream text, List<byte[]> allowEntries) {
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
            putWords(entries, at, rule.context().words(), text, allowEntries);
        }
    }

    /** What of a context the device asks for: a word anywhere in the row. */
    private static void putWords(
            ByteBuffer entries,
            int at,
            List<String> words,
            ByteArrayOutputStream text,
            List<byte[]> allowEntries) {
        int[] masks = new int[RedactAbi.CONTEXT_WORD_BYTES];
        entries.putInt(at + RedactAbi.RULE_WORDS_FIRST, allowEntries.size());
        entries.putInt(at + RedactAbi.RULE_WORDS, words.size());
        for (String word : words) {
            byte[] lower = Words.lowerCase(word);
            for (int i = 0; i < masks.length; i++) {
                masks[i] |= 1 << (lower[i] & 31);
            }
            allowEntries.add(allowEntry(lower, text));
        }
        for (int i = 0; i < masks.length; i++) {
            entries.putInt(at + RedactAbi.RULE_WORD_MASKS + Integer.BYTES * i, masks[i]);
        }
    }

    /** Of the rules of an automaton that is tried everywhere; the others, each alone in its own, have none. */
    private static void putRivals(ByteBuffer entries, RulePart part, MergedDfa dfa) {
        for (int rule = 0; rule < part.rules().length; rule++) {
            int at = part.rules()[rule] * RedactAbi.RULE_BYTES;
            int rivals = dfa.rivals(rule);
            entries.putInt(at + RedactAbi.RULE_RIVALS, rivals);
            for (int context = 0; context < Dfa.CONTEXTS; context++) {
                int state =
                        rivals == RedactAbi.RIVALS_WALKED ? dfa.rivalStartState(rule, context) : 0;
                entries.putShort(
                        at + RedactAbi.RULE_RIVAL_START_STATE + Short.BYTES * context,
                        (short) state);
            }
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
        ByteBuffer entry = TableBytes.littleEndian(RedactAbi.ALLOW_BYTES);
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
}
