package javax.annotation;

/** In place of the annotation of JSR 250, which left the JDK with version 11. It has no effect at run time. */
public @interface Generated {
  String value();
}
