package io.flinkgpu;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import java.util.Arrays;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** The table of packages and what each may import; see flink-gpu-operators/README.md. */
@AnalyzeClasses(packages = "io.flinkgpu", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String[] FLINK_CORE_TYPES = {
        "org.apache.flink.api.common.typeinfo..",
        "org.apache.flink.api.common.typeutils..",
        "org.apache.flink.api.common.serialization..",
        "org.apache.flink.core.memory..",
        "org.apache.flink.util.function.."
    };
    private static final String ARROW = "org.apache.arrow..";
    private static final String FLINK = "org.apache.flink..";

    @ArchTest static final ArchRule API = only("api", FLINK_CORE_TYPES);

    @ArchTest static final ArchRule TEXT = only("text", "io.flinkgpu.api");

    @ArchTest
    static final ArchRule RULES = only("rules", "io.flinkgpu.api", "org.snakeyaml.engine..");

    @ArchTest static final ArchRule COLUMN = only("column", "io.flinkgpu.api", ARROW);

    @ArchTest
    static final ArchRule BACKEND =
            only("backend", "io.flinkgpu.api", "io.flinkgpu.text", "io.flinkgpu.column", ARROW);

    @ArchTest
    static final ArchRule CPU =
            only(
                    "backend.cpu",
                    "io.flinkgpu.api",
                    "io.flinkgpu.text",
                    "io.flinkgpu.column",
                    "io.flinkgpu.backend",
                    ARROW);

    @ArchTest
    static final ArchRule CUDA =
            only(
                    "backend.cuda",
                    "io.flinkgpu.api",
                    "io.flinkgpu.text",
                    "io.flinkgpu.column",
                    "io.flinkgpu.backend",
                    ARROW,
                    "jcuda..");

    @ArchTest
    static final ArchRule OPERATOR =
            only(
                    "operator",
                    "io.flinkgpu.api",
                    "io.flinkgpu.text",
                    "io.flinkgpu.column",
                    "io.flinkgpu.backend",
                    ARROW,
                    FLINK);

    @ArchTest static final ArchRule SOURCE = only("source", "io.flinkgpu.api", FLINK);

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("io.flinkgpu.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_STATIC_MUTABLE_STATE =
            fields().that()
                    .areStatic()
                    .and(describe("are not made by the compiler", ArchitectureTest::isWritten))
                    .should()
                    .beFinal();

    private static boolean isWritten(JavaField field) {
        return !field.getModifiers().contains(JavaModifier.SYNTHETIC);
    }

    /** A package may use itself, the JDK, the logging facade and what is named. */
    private static ArchRule only(String name, String... allowed) {
        String self = "io.flinkgpu." + name;
        String[] all = Arrays.copyOf(allowed, allowed.length + 3);
        all[allowed.length] = self;
        all[allowed.length + 1] = "java..";
        all[allowed.length + 2] = "org.slf4j..";
        DescribedPredicate<JavaClass> mayBeUsed =
                resideInAnyPackage(all)
                        .or(describe("a primitive or its array", ArchitectureTest::isPrimitive));
        return classes()
                .that()
                .resideInAPackage(self)
                .should()
                .onlyDependOnClassesThat(mayBeUsed)
                .allowEmptyShould(true);
    }

    private static boolean isPrimitive(JavaClass type) {
        return type.getBaseComponentType().isPrimitive();
    }
}
