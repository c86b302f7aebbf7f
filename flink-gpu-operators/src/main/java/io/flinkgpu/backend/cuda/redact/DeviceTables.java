package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.SharedByKey;
import io.flinkgpu.backend.cuda.device.UploadedBytes;
import io.flinkgpu.text.CompiledRules;

/**
 * A rule set's tables on a device. Nothing in them depends on a hash key, and all of it on the rules, so
 * subtasks with equal rules share them. Immutable; the last who holds them closes them.
 */
final class DeviceTables implements AutoCloseable {

    // They are no Resident: subtasks share them, and nothing ever changes them.

    /**
     * Who shares tables.
     *
     * @param automata into which the rules are cut
     */
    record Key(RuleSet rules, int automata) implements SharedByKey.Key<DeviceTables> {}

    private final RuleTables tables;
    private final UploadedBytes uploaded;

    /** Makes the tables and copies them; the context is current. */
    DeviceTables(CompiledRules rules, CudaMemory memory) throws BackendException {
        tables = new RuleTables(rules);
        uploaded = new UploadedBytes(memory, tables.takeBytes());
    }

    int ruleCount() {
        return tables.ruleCount();
    }

    /** Whether matches of any rule become keyed hashes. */
    boolean hashes() {
        return tables.hashes();
    }

    /** Whether one automaton has all rules: see {@link RuleTables#isOneAutomaton()}. */
    boolean isOneAutomaton() {
        return tables.isOneAutomaton();
    }

    /** How many automata are tried everywhere. */
    int automata() {
        return tables.automata();
    }

    /** Whether there are rules that are tried only where one of their texts is. */
    boolean hasTexts() {
        return tables.hasTexts();
    }

    /** Writes the {@code rule_tables} struct of an automaton to a host address. */
    void writeStruct(int automaton, long address) {
        tables.writeStruct(automaton, address, uploaded.address());
    }

    /** Writes the {@code text_tables} struct to a host address. */
    void writeTexts(long address) {
        tables.writeTexts(address, uploaded.address());
    }

    @Override
    public void close() throws BackendException {
        uploaded.close();
    }
}
