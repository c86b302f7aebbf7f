package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Redactions;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.ProgramCompiler;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static io.flinkgpu.api.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Registers are reused once nobody reads them any more, and not before.
 *
 * <p>Covers: TextRegisters.
 */
class TextRegistersTest {

    @Test
    void aRegisterThatIsReadLastMakesRoomForTheResult() {
        TextExpression name = col("name");
        Pass pass = pass(name.after(" ").after("-").left(3).trim());

        assertThat(pass.textRegisters()).isGreaterThan(1);
        assertThat(new TextRegisters(pass).count()).isEqualTo(1);
    }

    @Test
    void whatAnOutputIsMadeOfKeepsItsPlace() {
        Pass pass = pass(Redactions.nameByVisibility());
        TextRegisters registers = new TextRegisters(pass);

        assertThat(pass.textRegisters()).isEqualTo(3);
        assertThat(registers.count()).isEqualTo(2);
        assertThat(registers.placeOf(0)).isNotEqualTo(registers.placeOf(2));
    }

    private static Pass pass(Expression expression) {
        Map<String, ColumnType> columns = new LinkedHashMap<>();
        columns.put("name", ColumnType.TEXT);
        columns.put("visibility", ColumnType.TEXT);
        return (Pass) ProgramCompiler.compile(columns, List.of(expression)).steps().get(0);
    }
}
