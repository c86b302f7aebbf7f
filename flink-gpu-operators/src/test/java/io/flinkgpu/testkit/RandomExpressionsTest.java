package io.flinkgpu.testkit;

import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Operation;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The trees that backends are compared on have every operation, and any of them travels.
 *
 * <p>Covers: RandomExpressions.
 */
class RandomExpressionsTest {

    private static final long SEED = 20_261_121;
    private static final int TREES = 500;

    @Test
    void everyOperationIsAmongThem() {
        Set<Operation> made = EnumSet.noneOf(Operation.class);
        trees().forEach(tree -> collect(tree, made));
        assertThat(made).isEqualTo(EnumSet.allOf(Operation.class));
    }

    @Test
    void allTravelInTheJobGraph() throws Exception {
        for (Expression tree : trees()) {
            Expression named = tree.as("result");
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(named);
            }
            try (ObjectInputStream in =
                    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                Expression copy = (Expression) in.readObject();
                assertThat(copy).isEqualTo(named).hasSameHashCodeAs(named);
                assertThat(copy).hasToString(named.toString());
                assertThat(copy.type()).isEqualTo(named.type());
            }
        }
    }

    private static List<Expression> trees() {
        List<Expression> trees = new ArrayList<>();
        for (int i = 0; i < TREES; i++) {
            trees.addAll(new RandomExpressions(new Random(SEED + i)).several(1, 1 + i % 4));
        }
        return trees;
    }

    private static void collect(Expression tree, Set<Operation> to) {
        to.add(tree.operation());
        tree.operands().forEach(operand -> collect(operand, to));
    }
}
