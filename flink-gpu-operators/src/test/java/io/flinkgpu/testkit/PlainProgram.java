package io.flinkgpu.testkit;

import io.flinkgpu.program.HashStep;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.RedactStep;
import io.flinkgpu.program.Step;
import io.flinkgpu.text.WholeMatcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Follows programs to the letter, a row at a time, by methods of {@code String}: what the compiler says,
 * without a backend. Fails where a program breaks a rule of its format.
 */
final class PlainProgram implements Transformer {

    @Override
    public List<List<Object>> transform(Program program, TransformInput input, Shape shape) {
        List<Map<String, Object>> rows = input.rows();
        if (shape.cutFrom() > 0) {
            rows = rows.subList(shape.cutFrom(), rows.size() - 1);
        }
        program.steps().forEach(PlainProgram::requireLimits);
        List<List<Object>> results = new ArrayList<>();
        program.results().forEach(result -> results.add(new ArrayList<>()));
        for (Map<String, Object> row : rows) {
            List<Object> columns = run(program, row);
            for (int i = 0; i < results.size(); i++) {
                Object value = columns.get(program.results().get(i));
                results.get(i)
                        .add(value instanceof String text ? SurrogateText.encode(text) : value);
            }
        }
        return results;
    }

    private static void requireLimits(Step step) {
        if (step instanceof Pass pass) {
            require(pass.instructions().size() <= Pass.MAX_INSTRUCTIONS, "instructions");
            require(pass.textRegisters() <= Pass.MAX_TEXT_REGISTERS, "text registers");
            require(pass.numberRegisters() <= Pass.MAX_NUMBER_REGISTERS, "number registers");
            require(pass.conditionRegisters() <= Pass.MAX_CONDITION_REGISTERS, "conditions");
            require(pass.literals().size() <= Pass.MAX_LITERALS, "literals");
            require(pass.outputs().size() <= Pass.MAX_OUTPUTS, "outputs");
            int parts = pass.outputs().stream().mapToInt(output -> output.parts().size()).sum();
            require(parts <= Pass.MAX_PARTS, "parts");
        }
    }

    private static List<Object> run(Program program, Map<String, Object> row) {
        List<Object> columns = new ArrayList<>();
        for (String name : program.columns()) {
            Object value = row.get(name);
            columns.add(value instanceof byte[] bytes ? SurrogateText.decode(bytes) : value);
        }
        ExpressionOracle steps = new ExpressionOracle(ExpressionCase.HASH_KEY);
        for (Step step : program.steps()) {
            if (step instanceof Pass pass) {
                columns.addAll(new PlainRow(pass, columns).outputs());
            } else if (step instanceof RedactStep redact) {
                String text = (String) columns.get(redact.column());
                columns.add(text == null ? null : steps.redacted(text, redact.rules().ruleSet()));
            } else {
                String text = (String) columns.get(((HashStep) step).column());
                columns.add(text == null ? null : steps.hash(text));
            }
        }
        return columns;
    }

    /** Walks an automaton. */
    static boolean matches(WholeMatcher automaton, byte[] text) {
        int state = automaton.startState();
        for (byte b : text) {
            int next = automaton.next(state, b & 0xff);
            int entry = (state << automaton.strideShift()) + automaton.classTable()[b & 0xff];
            require(automaton.transitionTable()[entry] == next, "tables of an automaton");
            state = next;
        }
        return automaton.accepts(state);
    }

    static void require(boolean kept, String what) {
        if (!kept) {
            throw new AssertionError("breaks a rule of its format: " + what);
        }
    }
}
