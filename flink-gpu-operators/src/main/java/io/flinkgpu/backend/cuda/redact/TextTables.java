package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.text.RulePart;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.LiteralIndex;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** The tables of rules that are tried only where one of their texts is: a {@code text_tables} struct. */
final class TextTables {

    private static final int[] POINTERS = {
        RedactAbi.TEXT_TABLES_FILTER,
        RedactAbi.TEXT_TABLES_FIRST,
        RedactAbi.TEXT_TABLES_FIRST_LONG,
        RedactAbi.TEXT_TABLES_ENTRIES,
        RedactAbi.TEXT_TABLES_ENTRY_RULES,
        RedactAbi.TEXT_TABLES_RULES,
        RedactAbi.TEXT_TABLES_NEXT,
        RedactAbi.TEXT_TABLES_CLASS_OF,
        RedactAbi.TEXT_TABLES_MATCH_BACK_OFF,
        RedactAbi.TEXT_TABLES_CONTEXT_AFTER,
    };

    private final int[] places;

    /**
     * @param parts of one rule each, numbered as in the index
     */
    TextTables(LiteralIndex index, List<RulePart> parts, TableBytes tables) {
        ByteArrayOutputStream entryRules = new ByteArrayOutputStream();
        byte[] entries = entries(index, entryRules);
        int transitions =
                parts.stream().mapToInt(part -> part.dfa().transitionTable().length).sum();
        ByteBuffer next = TableBytes.littleEndian(Character.BYTES * transitions);
        ByteArrayOutputStream classOf = new ByteArrayOutputStream();
        ByteArrayOutputStream backOffs = new ByteArrayOutputStream();
        ByteBuffer rules = TableBytes.littleEndian(parts.size() * RedactAbi.TEXT_RULE_BYTES);
        for (int rule = 0; rule < parts.size(); rule++) {
            RulePart part = parts.get(rule);
            int at = rule * RedactAbi.TEXT_RULE_BYTES;
            rules.putInt(at + RedactAbi.TEXT_RULE_NEXT, next.position() / Character.BYTES);
            rules.putInt(at + RedactAbi.TEXT_RULE_CLASS_OF, classOf.size());
            rules.putInt(at + RedactAbi.TEXT_RULE_MATCH_BACK_OFF, backOffs.size());
            rules.putInt(at + RedactAbi.TEXT_RULE_RULE, part.rules()[0]);
            rules.putInt(at + RedactAbi.TEXT_RULE_MIN_LEAD, index.minLead(rule));
            rules.putInt(at + RedactAbi.TEXT_RULE_MAX_LEAD, index.maxLead(rule));
            putAutomaton(rules, at, part.dfa());
            next.put(TableBytes.ofChars(part.dfa().transitionTable()));
            classOf.writeBytes(part.dfa().classTable());
            backOffs.writeBytes(backOffs(part.dfa()));
        }
        byte[][] sections = {
            TableBytes.ofLongs(index.filter()),
            TableBytes.ofChars(index.firstEntries()),
            TableBytes.ofChars(index.firstLongEntries()),
            entries,
            entryRules.toByteArray(),
            rules.array(),
            next.array(),
            classOf.toByteArray(),
            backOffs.toByteArray(),
            contexts(),
        };
        places = new int[sections.length];
        for (int i = 0; i < sections.length; i++) {
            places[i] = tables.add(sections[i]);
        }
    }

    private static void putAutomaton(ByteBuffer rules, int at, Dfa dfa) {
        rules.putInt(at + RedactAbi.TEXT_RULE_STRIDE_SHIFT, dfa.strideShift());
        rules.putInt(at + RedactAbi.TEXT_RULE_END_CLASS, dfa.endClass());
        rules.putInt(at + RedactAbi.TEXT_RULE_FINAL_LIMIT, dfa.finalLimit());
        rules.putInt(at + RedactAbi.TEXT_RULE_MATCH_LIMIT, dfa.matchLimit());
        for (int context = 0; context < Dfa.CONTEXTS; context++) {
            rules.putShort(
                    at + RedactAbi.TEXT_RULE_START_STATE + Short.BYTES * context,
                    (short) dfa.startState(context));
        }
    }

    private static byte[] backOffs(Dfa dfa) {
        byte[] backOffs = new byte[dfa.matchLimit()];
        for (int state = 1; state < backOffs.length; state++) {
            backOffs[state] = (byte) dfa.backOff(state);
        }
        return backOffs;
    }

    private static byte[] entries(LiteralIndex index, ByteArrayOutputStream entryRules) {
        ByteBuffer entries = TableBytes.littleEndian(index.entries() * RedactAbi.TEXT_ENTRY_BYTES);
        for (int entry = 0; entry < index.entries(); entry++) {
            int at = entry * RedactAbi.TEXT_ENTRY_BYTES;
            int[] rules = index.rules(entry);
            entries.putLong(at + RedactAbi.TEXT_ENTRY_VALUE, index.value(entry));
            entries.putLong(at + RedactAbi.TEXT_ENTRY_MASK, index.mask(entry));
            entries.putInt(at + RedactAbi.TEXT_ENTRY_LENGTH, index.length(entry));
            entries.putInt(at + RedactAbi.TEXT_ENTRY_NEXT, index.nextEntry(entry));
            entries.putInt(
                    at + RedactAbi.TEXT_ENTRY_RULES_FIRST, entryRules.size() / Character.BYTES);
            entries.putInt(at + RedactAbi.TEXT_ENTRY_RULES_COUNT, rules.length);
            char[] numbers = new char[rules.length];
            for (int i = 0; i < rules.length; i++) {
                numbers[i] = (char) rules[i];
            }
            entryRules.writeBytes(TableBytes.ofChars(numbers));
        }
        return entries.array();
    }

    private static byte[] contexts() {
        byte[] contexts = new byte[256];
        for (int b = 0; b < contexts.length; b++) {
            contexts[b] = (byte) Dfa.contextOf(b);
        }
        return contexts;
    }

    /**
     * @param address host address of the struct
     * @param deviceAddress where the tables are on the device
     */
    void writeStruct(long address, long deviceAddress) {
        for (int i = 0; i < POINTERS.length; i++) {
            MemoryUtil.putLong(address + POINTERS[i], deviceAddress + places[i]);
        }
    }
}
