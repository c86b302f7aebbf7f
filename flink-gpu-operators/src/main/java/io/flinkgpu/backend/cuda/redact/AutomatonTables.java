package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.text.RulePart;
import io.flinkgpu.text.automaton.Dfa;

import org.apache.arrow.memory.util.MemoryUtil;

/** The tables of an automaton that is tried everywhere: its share of a {@code rule_tables} struct. */
final class AutomatonTables {

    private final MergedDfa dfa;
    private final int startInfo;
    private final int pairs;
    private final int classOf;
    private final int next;
    private final int matchRule;
    private final int matchBackOff;

    AutomatonTables(RulePart part, TableBytes tables) {
        dfa = new MergedDfa(part);
        StartPairs starts = new StartPairs(dfa);
        startInfo = tables.add(starts.info());
        pairs = tables.add(starts.pairs());
        classOf = tables.add(dfa.classTable());
        next = tables.add(TableBytes.ofChars(dfa.transitionTable()));
        matchRule = tables.add(TableBytes.ofChars(dfa.matchRules()));
        matchBackOff = tables.add(dfa.matchBackOffs());
    }

    MergedDfa dfa() {
        return dfa;
    }

    /**
     * @param address host address of the struct
     * @param deviceAddress where the tables are on the device
     */
    void writeStruct(long address, long deviceAddress) {
        MemoryUtil.putLong(address + RedactAbi.TABLES_START_INFO, deviceAddress + startInfo);
        MemoryUtil.putLong(address + RedactAbi.TABLES_PAIRS, deviceAddress + pairs);
        MemoryUtil.putLong(address + RedactAbi.TABLES_CLASS_OF, deviceAddress + classOf);
        MemoryUtil.putLong(address + RedactAbi.TABLES_NEXT, deviceAddress + next);
        MemoryUtil.putLong(address + RedactAbi.TABLES_MATCH_RULE, deviceAddress + matchRule);
        MemoryUtil.putLong(address + RedactAbi.TABLES_MATCH_BACK_OFF, deviceAddress + matchBackOff);
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
        MemoryUtil.putInt(address + RedactAbi.TABLES_GATE_BYTE, dfa.gateByte());
    }
}
