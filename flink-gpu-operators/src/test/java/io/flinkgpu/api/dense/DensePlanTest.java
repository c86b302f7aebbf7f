package io.flinkgpu.api.dense;

import io.flinkgpu.api.dense.DenseLayer.Cross;
import io.flinkgpu.api.dense.DenseLayer.Linear;

import org.apache.flink.util.InstantiationUtil;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: DensePlan, DenseBuilder, DenseFusion, DenseLayer, DenseMatrix, DenseSlots.
 */
class DensePlanTest {

    private static final DenseMatrix TWO_BY_THREE = DenseMatrix.of(2, 3, 1, 2, 3, 4, 5, 6);

    private final DenseBuilder builder = DensePlan.builder(2);
    private final DenseValue input = builder.input();

    @Test
    void biasAndActivationJoinTheLinearLayer() {
        DenseValue products = builder.linear(input, TWO_BY_THREE, null);
        DenseValue sums = builder.sum(builder.constant(7, 8, 9), products);
        DensePlan plan = builder.build(builder.relu(sums));
        DenseBuilder other = DensePlan.builder(2);
        DenseValue linear = other.linear(other.input(), TWO_BY_THREE, new float[] {7, 8, 9});
        assertThat(plan).isEqualTo(other.build(other.relu(linear)));
        assertThat(plan.layers()).hasSize(1);
        assertThat(plan.toString()).isEqualTo("DensePlan{inputWidth=2, layers=1, outputWidth=3}");
    }

    @Test
    void stepsBecomeACrossLayer() {
        DenseValue dot = builder.linear(input, DenseMatrix.of(2, 1, 3, 4), null);
        DenseValue scaled = builder.product(dot, input);
        DenseValue sum = builder.sum(input, builder.sum(scaled, builder.constant(5, 6)));
        DenseBuilder other = DensePlan.builder(2);
        DenseValue cross =
                other.cross(other.input(), other.input(), new float[] {3, 4}, new float[] {5, 6});
        DensePlan plan = other.build(cross);
        assertThat(builder.build(sum)).isEqualTo(plan).hasSameHashCodeAs(plan);
        assertThat(plan.layers()).singleElement().isInstanceOf(Cross.class);
    }

    /** What another layer reads as well stays. */
    @Test
    void nothingIsJoinedThatIsReadTwice() {
        DenseValue products = builder.linear(input, TWO_BY_THREE, null);
        DenseValue relu = builder.relu(products);
        DensePlan plan = builder.build(builder.sum(relu, products));
        assertThat(plan.layers()).hasSize(3);
        assertThat(plan.layers().get(0)).isInstanceOf(Linear.class);
    }

    @Test
    void slicesPutTogetherAreWhatTheyWereCutFrom() {
        DenseValue first = builder.slice(input, 0, 1);
        DenseValue second = builder.slice(input, 1, 1);
        DenseValue whole = builder.concat(builder.concat(first, second));
        DenseValue unused = builder.sigmoid(whole);
        assertThat(unused.width()).isEqualTo(2);
        assertThat(builder.build(builder.relu(whole)).layers()).hasSize(1);
        DenseValue turned = builder.concat(second, first);
        assertThat(builder.build(builder.relu(turned)).layers()).hasSize(4);
    }

    @Test
    void buffersAreUsedAgain() {
        DenseValue value = input;
        for (int i = 0; i < 6; i++) {
            value = builder.sigmoid(value);
        }
        DenseSlots slots = new DenseSlots(builder.build(value));
        assertThat(slots.count()).isEqualTo(4);
        assertThat(List.of(slots.of(0), slots.of(1), slots.of(2), slots.of(3), slots.of(6)))
                .containsExactly(0, 1, 2, 1, 3);
    }

    @Test
    void travels() throws Exception {
        DenseValue sum = builder.sum(input, builder.constant(Float.NaN));
        DenseValue cross =
                builder.cross(input, sum, new float[] {1, Float.NaN}, new float[] {Float.NaN, 1});
        DenseValue all = builder.concat(cross, builder.slice(sum, 1, 1));
        DenseMatrix weights = DenseMatrix.of(3, 1, 1, Float.NaN, 1);
        DensePlan plan = builder.build(builder.linear(all, weights, new float[] {Float.NaN}));
        assertThat(plan.nanWeights()).isEqualTo(5);
        DensePlan copy = InstantiationUtil.clone(plan);
        assertThat(copy).isEqualTo(plan).isNotSameAs(plan);
        assertThat(copy.nanWeights()).isEqualTo(5);
        assertThat(copy.inputWidth()).isEqualTo(2);
        assertThat(copy.outputWidth()).isEqualTo(1);
    }

    @Test
    void whatDoesNotFitIsNamed() {
        refused(() -> DensePlan.builder(0), "inputWidth=0");
        refused(() -> DenseMatrix.of(2, 2, 1, 2, 3), "rows=2, columns=2, values=3");
        refused(
                () -> builder.linear(input, TWO_BY_THREE.transposed(), null),
                "input=2, rows of weights=3");
        refused(
                () -> builder.linear(input, TWO_BY_THREE, new float[2]),
                "columns of weights=3, bias=2");
        refused(
                () -> builder.cross(input, input, TWO_BY_THREE, new float[3]),
                "rows of weights=2, columns of weights=3");
        refused(
                () -> builder.cross(input, input, new float[3], new float[2]),
                "input=2, weights=3");
        refused(() -> builder.sum(input, builder.constant(1, 2, 3)), "left=2, right=3");
        refused(() -> builder.sum(builder.constant(1), builder.constant(1)), "both sides");
        refused(() -> builder.relu(builder.constant(1)), "sums and products only");
        refused(builder::constant, "no numbers");
        refused(builder::concat, "nothing to concatenate");
        refused(() -> builder.slice(input, 1, 2), "from=1, width=2, input=2");
        refused(() -> builder.relu(DensePlan.builder(2).input()), "another builder");
        refused(() -> builder.build(input), "gives back its input");
    }

    private static void refused(ThrowingCallable call, String part) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(part);
    }

    @Test
    void precisionIsPartOfAPlan() throws Exception {
        DensePlan exact = builder.build(builder.linear(input, TWO_BY_THREE, null));
        DensePlan fast = exact.withPrecision(DensePrecision.FAST);
        assertThat(exact.precision()).isEqualTo(DensePrecision.EXACT);
        assertThat(fast).isNotEqualTo(exact);
        assertThat(fast.withPrecision(DensePrecision.EXACT)).isEqualTo(exact);
        assertThat(fast.toString()).endsWith(", precision=FAST}");
        assertThat(InstantiationUtil.clone(fast)).isEqualTo(fast).hasSameHashCodeAs(fast);
        assertThatThrownBy(() -> exact.withPrecision(null)).hasMessage("precision");
    }

    /** Only where asked for, and only what nobody else reads. */
    @Test
    void partsOfAConcatenationAreInItsRows() {
        DenseValue one = builder.relu(input);
        DenseValue two = builder.sigmoid(input);
        DenseValue both = builder.concat(one, input, two);
        DensePlan plan = builder.build(builder.sum(both, builder.constant(1)));
        DenseSlots apart = new DenseSlots(plan);
        DenseSlots joined = new DenseSlots(plan, value -> true);
        assertThat(apart.of(1)).isNotEqualTo(apart.of(3));
        assertThat(joined.of(1)).isEqualTo(joined.of(2)).isEqualTo(joined.of(3));
        assertThat(new int[] {joined.owner(0), joined.owner(1), joined.owner(2), joined.owner(3)})
                .containsExactly(0, 3, 3, 3);
        assertThat(new int[] {joined.column(1), joined.column(2), joined.column(3)})
                .containsExactly(0, 4, 0);
        assertThat(joined.width(joined.of(1))).isEqualTo(6);
    }
}
