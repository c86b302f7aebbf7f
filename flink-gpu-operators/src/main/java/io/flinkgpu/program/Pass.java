package io.flinkgpu.program;

import io.flinkgpu.text.WholeMatcher;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * Instructions that are followed for each row of a batch, independent of all others, and the columns
 * that they give. A pass reads the columns there are and appends its outputs to them.
 *
 * @param literals UTF-8 texts
 * @param automata for {@link OpCode#MATCHES}
 * @param textRegisters how many are used
 * @param numberRegisters how many are used
 * @param conditionRegisters how many are used
 */
@Internal
public record Pass(
        List<Instruction> instructions,
        List<byte[]> literals,
        List<WholeMatcher> automata,
        int textRegisters,
        int numberRegisters,
        int conditionRegisters,
        List<PassOutput> outputs)
        implements Step {

    private static final long serialVersionUID = 1L;

    public static final int MAX_INSTRUCTIONS = 128;
    public static final int MAX_TEXT_REGISTERS = 32;
    public static final int MAX_NUMBER_REGISTERS = 16;
    public static final int MAX_CONDITION_REGISTERS = 64;
    public static final int MAX_LITERALS = 128;
    public static final int MAX_OUTPUTS = 16;
    public static final int MAX_PARTS = 64;

    public Pass {
        instructions = List.copyOf(instructions);
        literals = List.copyOf(literals);
        automata = List.copyOf(automata);
        outputs = List.copyOf(outputs);
    }
}
